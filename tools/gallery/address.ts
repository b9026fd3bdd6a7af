// The gallery's address: which face of the popup it shows, and how.

export interface Address {
  readonly face: string;
  /** `system` follows the browser. The page with the bar, whose address names no theme, shows both. */
  readonly theme: 'system' | 'light' | 'dark';
  readonly language: string;
  /** In percent of the browser's text size. */
  readonly text: number;
}

const plain: Address = { face: 'starting', theme: 'system', language: 'en', text: 100 };

/** Reads an address from a query. A missing value is the default. */
export function readAddress(query: string): Address {
  const given = Object.fromEntries(new URLSearchParams(query));
  return { ...plain, ...given, text: Number(given['text'] ?? plain.text) };
}

/** Writes a query for the bare page, which holds the face and nothing else, as the popup's own page does. */
export function toBareQuery(address: Partial<Address>): string {
  const entries = Object.entries({ ...plain, ...address });
  return `?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`;
}
