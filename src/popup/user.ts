// How the popup shows a user: by name, and with a picture or initials.

import type { AccountHint } from '../session/view.ts';

/** Equal for two profiles or hints of the same user. */
export function toUserKey({ providerId, issuer, subject }: AccountHint): string {
  return JSON.stringify([providerId, issuer, subject]);
}

/** The name, else the email address; null if the provider sends neither. */
export function toDisplayName({ name, email }: Pick<AccountHint, 'name' | 'email'>): string | null {
  return name ?? email;
}

/** The email address, unless the user is shown by it. */
export function toOtherEmail(user: Pick<AccountHint, 'name' | 'email'>): string | null {
  return user.email === toDisplayName(user) ? null : user.email;
}

/**
 * The initials of a name: of its first and last word, or of the first alone if there is only one word or if its script
 * has no upper case, such as Chinese or Arabic.
 */
export function toInitials(name: string): string {
  const words = name.split(/\s+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const first = toFirstCharacter(words[0] ?? name.trim());
  if (words.length < 2 || !/^\p{Cased}/u.test(first)) return first;
  return first + toFirstCharacter(words[words.length - 1] ?? '');
}

/** The first character as people see it (a grapheme cluster), in upper case: a letter with its accents, or an emoji. */
export function toFirstCharacter(word: string): string {
  // ASCII letters are never combined, and the rules for all scripts take time to load.
  if (/^[ -~](?:[ -~]|$)/.test(word)) return word.charAt(0).toUpperCase();
  const [first] = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(word);
  return first?.segment.toUpperCase() ?? '';
}
