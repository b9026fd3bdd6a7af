// The address of one face: which one, and how it is looked at.

export const themes = ['system', 'light', 'dark'] as const;
export const textSizes = [100, 150, 200] as const;
export const directions = ['language', 'ltr', 'rtl'] as const;

/** How a face is looked at. */
export interface Look {
  /** `system` leaves it to the browser. */
  readonly theme: (typeof themes)[number];
  /** The name of a folder in _locales, or one of the languages that nobody speaks. */
  readonly language: string;
  /** In percent of the person's own size. */
  readonly text: (typeof textSizes)[number];
  /** `language` is the direction in which the language is written. */
  readonly direction: (typeof directions)[number];
}

export const plainLook: Look = { theme: 'system', language: 'en', text: 100, direction: 'language' };

/** Reads how a face is to be looked at; what is not understood is as in {@link plainLook}. */
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

/** The query of an address; a look that is the plain one is left out. */
export function toQuery(parameters: Readonly<Record<string, string>>, look: Partial<Look>): string {
  const query = new URLSearchParams(parameters);
  for (const [name, value] of Object.entries(look)) {
    if (value !== plainLook[name as keyof Look]) query.set(name, String(value));
  }
  return query.size === 0 ? '' : `?${query}`;
}
