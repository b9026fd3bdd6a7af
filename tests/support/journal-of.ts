// The journal of a scene's worker.

import { journalKey } from '../../src/bridge/report/journal-lines.ts';

/** The stored lines without their times, oldest first. */
export function journalOf(area: { readonly items: ReadonlyMap<string, unknown> }): string[] {
  const lines = (area.items.get(journalKey) ?? []) as readonly string[];
  return lines.map((line) => line.slice(line.indexOf(' ') + 1));
}
