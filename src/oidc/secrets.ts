// What an exchange with a provider knows as secret or personal, so that a text can be compared with it before it is
// shown: a provider may repeat a token in an error description.

import { toLowerAscii } from './ascii.ts';
import { toBase64Url } from './base64url.ts';
import { isOrdinary } from './ordinary-words.ts';
import { toSafeLine } from './safe-line.ts';

/** The values known to be secret or personal. They are kept in memory alone, and the oldest are dropped. */
export interface Secrets {
  /** Remembers tokens, codes and the like. A text is also compared with parts of them. */
  addSecrets(values: Iterable<string>): void;
  /** Remembers values that describe a person. A text is compared with each as a whole. */
  addPersonal(values: Iterable<string>): void;
  /**
   * Returns the text with "…" in place of each secret or part of one, and of each personal value: also in other case,
   * percent-encoded, in base64, as a provider's text is shown, and cut by the end of the text.
   */
  redact(text: string): string;
  /** Whether the text contains a whole secret. */
  containsSecret(text: string): boolean;
}

/** Parts of a secret that are shorter are found in any text. */
const minPartLength = 8;
/** Shorter values are ordinary words too often. */
const minLength = 6;
/** Far more than one sign-in or renewal brings, and a provider cannot push out one kind with the other. */
const maxSecrets = 100;
const maxPersonal = 1_000;
/** A longer value is compared by its beginning. */
const maxEncodedLength = 2_000;

/** Whether a found text in lower case is public, and so stays. */
type IsPublic = (lower: string) => boolean;
type Range = readonly [start: number, end: number];

/** Creates an empty memory. Nothing that is part of `publicTexts` is ever secret, such as the issuer. */
export function createSecrets(publicTexts: readonly string[] = []): Secrets {
  const publicText = toLowerAscii(publicTexts.join(' '));
  const isPublic: IsPublic = (lower) => publicText.includes(lower) || isOrdinary(lower);
  const secrets = createMemory(maxSecrets);
  const personal = createMemory(maxPersonal);

  return {
    addSecrets: (values) => secrets.add(values),
    addPersonal: (values) => personal.add(values),
    redact(text) {
      const lower = toLowerAscii(text);
      const ranges = [
        ...secrets.spellings().flatMap((secret) => findParts(lower, secret, isPublic)),
        ...personal.spellings().flatMap((value) => findWhole(lower, value, isPublic)),
      ];
      return replaceRanges(text, ranges);
    },
    containsSecret(text) {
      const lower = toLowerAscii(text);
      return secrets.spellings().some((secret) => lower.includes(secret) && !isPublic(secret));
    },
  };
}

/** Remembers the newest values with their spellings in lower case. */
function createMemory(maxValues: number) {
  const spellingsByValue = new Map<string, readonly string[]>();
  return {
    add(values: Iterable<string>): void {
      for (const value of values) {
        const spellings = spellingsByValue.get(value) ?? toSpellings(value);
        if (spellings.length === 0) continue;
        // The newest is the last.
        spellingsByValue.delete(value);
        spellingsByValue.set(value, spellings);
        const [oldest] = spellingsByValue.keys();
        if (spellingsByValue.size > maxValues && oldest !== undefined) spellingsByValue.delete(oldest);
      }
    },
    spellings: (): readonly string[] => [...spellingsByValue.values()].flat(),
  };
}

/** The ways in which a text may show the value, in lower case. */
function toSpellings(value: string): readonly string[] {
  const trimmed = value.trim();
  if (trimmed.length < minLength && !trimmed.includes('@')) return [];
  const bytes = new TextEncoder().encode(trimmed.slice(0, maxEncodedLength));
  // Decoded from the bytes, because a lone surrogate cannot be encoded.
  const encoded = encodeURIComponent(new TextDecoder().decode(bytes));
  const base64Url = toBase64Url(bytes);
  const spellings = [
    trimmed,
    toSafeLine(trimmed).trim(),
    encoded,
    encoded.replaceAll('%20', '+'),
    base64Url,
    base64Url.replaceAll('-', '+').replaceAll('_', '/'),
  ];
  const distinct = [...new Set(spellings.map(toLowerAscii))];
  return distinct.filter((spelling) => spelling.length >= minLength || spelling.includes('@'));
}

/** Finds the secret, and its parts of at least {@link minPartLength} characters. */
function findParts(lower: string, secret: string, isPublic: IsPublic): Range[] {
  if (secret.length < minPartLength) return findWhole(lower, secret, isPublic);
  const ranges: Range[] = [];
  for (let start = 0; start + minPartLength <= lower.length; start += 1) {
    let end = start + minPartLength;
    if (!secret.includes(lower.slice(start, end))) continue;
    while (end < lower.length && secret.includes(lower.slice(start, end + 1))) end += 1;
    if (isPublic(lower.slice(start, end))) continue;
    ranges.push([start, end]);
    start = end - 1;
  }
  return ranges;
}

/** Finds the whole value, or its beginning at the end of the text, where the text may have been cut. */
function findWhole(lower: string, value: string, isPublic: IsPublic): Range[] {
  if (isPublic(value)) return [];
  const isWord = /^[a-z]+$/.test(value);
  const ranges: Range[] = [];
  for (let start = lower.indexOf(value); start !== -1; start = lower.indexOf(value, start + 1)) {
    const end = start + value.length;
    if (!isWord || isWholeWord(lower, start, end)) ranges.push([start, end]);
  }
  const longest = Math.min(value.length - 1, lower.length);
  for (let length = longest; length >= minLength; length -= 1) {
    const beginning = value.slice(0, length);
    if (!lower.endsWith(beginning) || isPublic(beginning)) continue;
    ranges.push([lower.length - length, lower.length]);
    break;
  }
  return ranges;
}

function isWholeWord(lower: string, start: number, end: number): boolean {
  return !/\w/.test(lower.charAt(start - 1)) && !/\w/.test(lower.charAt(end));
}

function replaceRanges(text: string, ranges: readonly Range[]): string {
  let shown = '';
  let at = 0;
  for (const [start, end] of ranges.toSorted(([one], [other]) => one - other)) {
    // What overlaps or touches the range before is one with it.
    if (start > at || (start === 0 && at === 0)) shown += `${text.slice(at, start)}…`;
    at = Math.max(at, end);
  }
  return shown + text.slice(at);
}
