// The text behind "Details" of a problem. No word of it is a provider's: a provider could repeat a token in its words, and
// no search finds that in every spelling. So a detail is written here alone, out of parts that are known to be safe.

declare const isSafe: unique symbol;

/** A text for pages and the report, which holds nothing that a provider chose. */
export type Detail = string & { readonly [isSafe]: true };

/** Writes a detail: our own words, with numbers and other details between them. */
export function words(own: TemplateStringsArray, ...parts: readonly (Detail | number)[]): Detail {
  return String.raw({ raw: own }, ...parts) as Detail;
}

/**
 * Takes a text for a detail that no provider chose: a value of the configuration, a name in our code or in a library, or
 * words of the browser. Never give it a part of an answer.
 */
export function trusted(text: string): Detail {
  return text as Detail;
}
