// The page's language: that of its messages.

import { privacyUrl, support } from 'latchkey:config';
import { locale, type lookUp } from './locale.ts';
import { createText, type Text } from './text.ts';

/** Puts the page into the language of the messages that `look` finds, with the product's name as its title. Returns its texts. */
export function toPageText(look: typeof lookUp): Text {
  const { language, direction } = locale(look);
  const text = createText(look, language, { support, privacyUrl });
  document.documentElement.lang = language;
  document.documentElement.dir = direction;
  document.title = text('extensionName');
  return text;
}
