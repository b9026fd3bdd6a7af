// The popup's texts in English, as a test finds them: each name without the signs that isolate its direction.

import messages from '../../src/public/_locales/en/messages.json' with { type: 'json' };
import { toLookUp } from '../../src/gallery/messages-file.ts';
import { createText } from '../../src/popup/i18n/text.ts';

const lookUp = toLookUp(messages);

export const english = createText(lookUp);

/** What a person reads of a text of the popup. */
export function toRead(text: string): string {
  return text.replace(/[\u2068\u2069]/gu, '');
}
