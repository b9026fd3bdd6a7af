// How a person is shown: the name to call them by, the initials when there is no picture, the picture itself.

import { isSecureUrl } from '../session/secure-url.ts';
import type { AccountHint } from '../session/session.ts';

/** The best name there is. The subject is always there, if hard to read. */
export function toDisplayName({
  name,
  email,
  subject,
}: Pick<AccountHint, 'name' | 'email' | 'subject'>): string {
  return name?.trim() || email?.trim() || subject;
}

/**
 * One or two signs that stand for a name: those of its first and last word, or the first alone if there is
 * only one word or if its script has no capitals, as Chinese, Arabic or an emoji.
 */
export function toInitials(name: string): string {
  const words = name.split(/\s+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const first = toFirstSign(words[0] ?? name.trim());
  if (words.length < 2 || !/^\p{Cased}/u.test(first)) return first;
  return first + toFirstSign(words[words.length - 1] ?? '');
}

/** The first thing that a reader sees as one sign: a letter with its accents, a whole family of emoji. */
export function toFirstSign(word: string): string {
  const [first] = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(word);
  return first?.segment.toUpperCase() ?? '';
}

/** The picture if a page of the extension may show it, else null: https, or http on this very device. */
export function toShowablePicture(picture: string | null): string | null {
  return picture !== null && isSecureUrl(picture) ? new URL(picture).href : null;
}
