// The text behind "Details" of a problem. It never contains a provider's words, because they could repeat a token, and no search
// finds a token in every spelling. So details are only written here, from parts that are known to be safe.

declare const isSafe: unique symbol;

/** A text for pages and the report, which holds nothing that a provider chose. */
export type Detail = string & { readonly [isSafe]: true };

/** Writes a detail: our own words, with numbers and other details between them. */
export function detail(own: TemplateStringsArray, ...parts: readonly (Detail | number)[]): Detail {
  return String.raw({ raw: own }, ...parts) as Detail;
}

/**
 * Accepts a text for a detail that no provider chose: a value of the configuration, a name in our code or in a library, or
 * words of the browser. Never pass it a part of a response.
 */
export function safe(text: string): Detail {
  return text as Detail;
}
