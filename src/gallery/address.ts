// The gallery's settings, as the query of a URL.

export const themes = ['system', 'light', 'dark'] as const;
export const textSizes = [100, 150, 200] as const;
export const directions = ['language', 'ltr', 'rtl'] as const;

/** How a face is displayed. */
export interface Look {
  /** `system` follows the browser. */
  readonly theme: (typeof themes)[number];
  /** The name of a folder in _locales, or a pseudo-language: `pseudo` or `pseudo-rtl`. */
  readonly language: string;
  /** In percent of the browser's text size. */
  readonly text: (typeof textSizes)[number];
  /** `language` follows the writing direction of the language. */
  readonly direction: (typeof directions)[number];
}

/** The look without any settings. */
export const plainLook: Look = { theme: 'system', language: 'en', text: 100, direction: 'language' };

/** Reads the look from a query. Missing and invalid values are those of {@link plainLook}. */
export function readLook(parameters: URLSearchParams): Look {
  const find = <Value>(name: string, values: readonly Value[], otherwise: Value): Value =>
    values.find((value) => String(value) === parameters.get(name)) ?? otherwise;
  return {
    theme: find('theme', themes, plainLook.theme),
    language: parameters.get('language') ?? plainLook.language,
    text: find('text', textSizes, plainLook.text),
    direction: find('direction', directions, plainLook.direction),
  };
}

/** Writes `parameters` and `look` as a query, without the values that equal those of {@link plainLook}. */
export function toQuery(parameters: Readonly<Record<string, string>>, look: Partial<Look>): string {
  const query = new URLSearchParams(parameters);
  for (const [name, value] of Object.entries(look)) {
    if (value !== plainLook[name as keyof Look]) query.set(name, String(value));
  }
  return query.size === 0 ? '' : `?${query}`;
}
