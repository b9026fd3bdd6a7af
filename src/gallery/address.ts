// The gallery's address: which face of the popup it shows, and how.

export const themes = ['system', 'light', 'dark'] as const;
export const textSizes = [100, 150, 200] as const;

export interface Address {
  /** The id of a face. */
  readonly face: string;
  /** `system` follows the browser in the bare page. The page with the bar shows both themes. */
  readonly theme: (typeof themes)[number];
  /** The name of a folder in _locales, or a pseudo-language: `pseudo` or `pseudo-rtl`. */
  readonly language: string;
  /** In percent of the browser's text size. */
  readonly text: (typeof textSizes)[number];
}

const plain: Address = { face: 'starting', theme: 'system', language: 'en', text: 100 };

/** Reads an address from a query. A missing value, or an invalid theme or size, is the default. */
export function readAddress(query: string): Address {
  const parameters = new URLSearchParams(query);
  const text = Number(parameters.get('text'));
  return {
    face: parameters.get('face') ?? plain.face,
    theme: themes.find((theme) => theme === parameters.get('theme')) ?? plain.theme,
    language: parameters.get('language') ?? plain.language,
    text: textSizes.find((size) => size === text) ?? plain.text,
  };
}

/** Writes a query for the page with the bar. Missing values are the defaults. */
export function toQuery(address: Partial<Address>): string {
  const entries = Object.entries({ ...plain, ...address });
  return `?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`;
}

/** Writes a query for the bare page, which holds the face and nothing else, as the popup's own page does. */
export function toBareQuery(address: Partial<Address>): string {
  return `${toQuery(address)}&bare`;
}

/** Whether the query is one of {@link toBareQuery}. */
export function isBare(query: string): boolean {
  return new URLSearchParams(query).has('bare');
}
