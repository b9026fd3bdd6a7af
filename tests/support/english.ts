// The popup's texts in English, for tests.

import messages from '../../src/public/_locales/en/messages.json' with { type: 'json' };
import { toLookUp } from '../../src/gallery/messages-file.ts';
import { createCodeText } from '../../src/popup/i18n/code-text.ts';
import { createText } from '../../src/popup/i18n/text.ts';

/** A message in English, with its placeholders replaced. */
export const lookUp = toLookUp(messages);

export const english = createText(lookUp);

/** The texts of a sign-in with a code. */
export const englishCode = createCodeText(lookUp);

/** The text as a person sees it: without the invisible characters that isolate the direction of a name. */
export function toRead(text: string): string {
  return text.replace(/[\u2068\u2069]/gu, '');
}
