// A provider's description of an error, for the console. Some quote what they were sent, and no search finds a token in every
// spelling. So the description is never printed: it only selects words from the list below.

import { listedWords } from './refusal.ts';

/** The words of the standards' error codes, and others that describe an error. No token consists of them. */
const words: ReadonlySet<unknown> = new Set([
  ...listedWords(),
  ...`no isn't doesn't cannot only must missing match unknown revoked used disabled blocked allowed registered refresh code client_id
  client_secret secret single-page cross-origin pkce code_verifier code_challenge redirect_uri origin audience admin tenant`.split(
    /\s+/,
  ),
]);

/**
 * The words of a text that are on the list, with "…" for everything between them. An Entra error number at the beginning also
 * stays, because Entra's documentation lists errors by it.
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
