// The popup's texts in English, for tests.

import messages from '../../src/public/_locales/en/messages.json' with { type: 'json' };
import { toLookUp } from '../../src/popup/i18n/messages-file.ts';
import { createText, toKeyPart, type Text } from '../../src/popup/i18n/text.ts';
import type { ProblemCode } from '../../src/session/problem.ts';

/** A message in English, with its placeholders replaced. */
export const lookUp = toLookUp(messages);

export const english = createText(lookUp);

/** The texts of the popup and its button. A feature's texts have other names, and a product describes itself as it likes. */
export const ownKey =
  /^(?:announcement|diagnosis|feature|managed|problem|report|signedIn|signedOut|signingIn|starting|toolbar)(?:_|[A-Z]|$)/;

export function whatHappened(code: ProblemCode, text: Text = english): string {
  return text(`problem_${toKeyPart(code)}_what_happened`, text('extensionName'));
}

export function whatToDo(code: ProblemCode, text: Text = english): string {
  return text(`problem_${toKeyPart(code)}_what_to_do`);
}

/** The text as a user sees it: without the invisible characters that isolate the direction of a name. */
export function toRead(text: string): string {
  return text.replace(/[\u2068\u2069]/gu, '');
}
