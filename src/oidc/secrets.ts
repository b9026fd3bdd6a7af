// Keeps what an exchange with a provider knows as secret or personal, so that a text can be compared with it before it is
// shown: a provider may repeat a token in an error description.

import { toLowerAscii } from './ascii.ts';
import { toBase64Url } from './base64url.ts';
import { maxBodyBytes } from './body.ts';
import { findAll } from './find-all.ts';
import { isOrdinary } from './ordinary-words.ts';
import { toSafeLine } from './safe-line.ts';
import { indexParts } from './shared-parts.ts';

/** The values known to be secret or personal. They are kept in memory alone, and the oldest are dropped. */
export interface Secrets {
  /** Remembers tokens, codes and the like. A text is also compared with parts of them. */
  addSecrets(values: Iterable<string>): void;
  /** Remembers values that describe a person. A text is compared with each as a whole. */
  addPersonal(values: Iterable<string>): void;
  /**
   * Returns the text with "…" in place of each secret or part of one, and of each personal value: also in other case,
   * percent-encoded, in base64, as a provider's text is shown, and cut by the end of the text. No text that is shown is
   * longer than {@link maxTextLength}; what follows is left out.
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
/** The length of all values of a kind together: twice what one answer can hold, so that no answer pushes out its own. */
const maxTotalLength = 2 * maxBodyBytes;
/** Longer than a detail, also with a sentence around it. */
const maxTextLength = 1_000;
/** A longer value is compared by its beginning: no header could carry it. */
const maxLength = 16_000;
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
      const shown = text.slice(0, maxTextLength);
      const lower = toLowerAscii(shown);
      const ranges = [
        ...findParts(lower, secrets.spellings(), isPublic),
        ...secrets.spellings().flatMap((secret) => findWhole(lower, secret, isPublic)),
        ...personal.spellings().flatMap((value) => findWhole(lower, value, isPublic)),
      ];
      return replaceRanges(shown, ranges);
    },
    containsSecret(text) {
      const lower = toLowerAscii(text);
      return secrets
        .spellings()
        .some(
          (secret) =>
            mayContain(lower, secret) && findAll(lower, secret).starts[0] !== undefined && !isPublic(secret),
        );
    },
  };
}

/** Remembers the newest values. */
function createMemory(maxValues: number) {
  // With the spellings of a value once a text was compared with it: most are forgotten before.
  const spellingsByValue = new Map<string, readonly string[] | null>();
  let totalLength = 0;
  const forget = (value: string) => {
    if (spellingsByValue.delete(value)) totalLength -= value.length;
  };
  const isOverfull = () =>
    spellingsByValue.size > maxValues || (totalLength > maxTotalLength && spellingsByValue.size > 1);
  const dropOldest = () => {
    for (const value of spellingsByValue.keys()) {
      if (!isOverfull()) return;
      forget(value);
    }
  };
  return {
    add(values: Iterable<string>): void {
      for (const value of values) {
        if (!isComparable(value)) continue;
        const spellings = spellingsByValue.get(value) ?? null;
        // The newest is the last.
        forget(value);
        spellingsByValue.set(value, spellings);
        totalLength += value.length;
        dropOldest();
      }
    },
    /** Their spellings in lower case. */
    spellings: (): readonly string[] =>
      [...spellingsByValue].flatMap(([value, known]) => {
        const spellings = known ?? toSpellings(value);
        if (known === null) spellingsByValue.set(value, spellings);
        return spellings;
      }),
  };
}

function isComparable(value: string): boolean {
  const trimmed = value.slice(0, maxLength).trim();
  return trimmed.length >= minLength || trimmed.includes('@');
}

/** The ways in which a text may show the value, in lower case. */
function toSpellings(value: string): readonly string[] {
  const trimmed = value.slice(0, maxLength).trim();
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

/** Finds the parts of secrets that have at least {@link minPartLength} characters. */
function findParts(lower: string, secrets: readonly string[], isPublic: IsPublic): Range[] {
  const findShared = indexParts(lower, minPartLength);
  return secrets.flatMap((secret) => {
    const ranges = findShared(secret).map((start): Range => [start, start + minPartLength]);
    return joinRanges(ranges).filter(([start, end]) => !isPublic(lower.slice(start, end)));
  });
}

/** Finds the whole value, or its beginning at the end of the text, where the text may have been cut. */
function findWhole(lower: string, value: string, isPublic: IsPublic): Range[] {
  if (!mayContain(lower, value) || isPublic(value)) return [];
  const isWord = /^[a-z]+$/.test(value);
  const { starts, cut } = findAll(lower, value);
  const ranges = starts
    .map((start): Range => [start, start + value.length])
    .filter(([start, end]) => !isWord || isWholeWord(lower, start, end));
  const isCut = cut >= minLength && !isPublic(value.slice(0, cut));
  return isCut ? [...ranges, [lower.length - cut, lower.length]] : ranges;
}

/** Whether the text has the least that has to be there of a value. Nearly always it has not, and this is quick. */
function mayContain(lower: string, value: string): boolean {
  return lower.includes(value.slice(0, minLength));
}

function isWholeWord(lower: string, start: number, end: number): boolean {
  return !/\w/.test(lower.charAt(start - 1)) && !/\w/.test(lower.charAt(end));
}

/** Sorts the ranges, and makes one of those that overlap or touch. */
function joinRanges(ranges: readonly Range[]): Range[] {
  const joined: Range[] = [];
  for (const [start, end] of ranges.toSorted(([one], [other]) => one - other)) {
    const [lastStart, lastEnd] = joined.at(-1) ?? [0, -1];
    if (start > lastEnd) joined.push([start, end]);
    else joined[joined.length - 1] = [lastStart, Math.max(lastEnd, end)];
  }
  return joined;
}

function replaceRanges(text: string, ranges: readonly Range[]): string {
  let shown = '';
  let at = 0;
  for (const [start, end] of joinRanges(ranges)) {
    shown += `${text.slice(at, start)}…`;
    at = end;
  }
  return shown + text.slice(at);
}
