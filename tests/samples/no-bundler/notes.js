globalThis.notes = 3;
