// A provider's sentence for the console. Some quote what they were sent, and no search finds a token in every spelling. So the text
// is never printed: it only chooses words of the list below.

import { listedWords } from './refusal.ts';

/** The words of the standard's error codes, and others that an error is about, so that a token isn't made of them. */
const words: ReadonlySet<unknown> = new Set([
  ...listedWords(),
  ...`no isn't doesn't cannot only must missing match unknown revoked used disabled blocked allowed registered refresh code client_id
  client_secret secret single-page cross-origin pkce code_verifier code_challenge redirect_uri origin audience admin tenant`.split(
    /\s+/,
  ),
]);

/**
 * The words of a text that are on the list, with "…" for whatever stands between them. The number of Entra's error at its
 * beginning stays too, because its documentation goes by that.
 */
export function toKnownWords(text: string): string {
  const found = text.slice(0, 1_000).match(/[\p{L}\p{N}_](?:[\p{L}\p{N}_-]|'(?=t\b))*/gu) ?? [''];
  return found
    .map((word, at) => (at === 0 && /^AADSTS\d{4,7}$/.test(word) ? word : toKnownWord(word.toLowerCase())))
    .filter((word, at, all) => word !== withheld || all[at - 1] !== withheld)
    .join(' ');
}

const withheld = '…';
const toKnownWord = (word: string) => (words.has(word) ? word : withheld);
