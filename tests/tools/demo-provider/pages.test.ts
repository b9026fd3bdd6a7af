import { expect, test } from 'vitest';
import { accountPage, consentPage, logoutPage, signedOutPage } from '../../../tools/demo-provider/pages.ts';
import { marisol, people } from '../../../tools/demo-provider/people.ts';

test.each([
  ['choice of an account', accountPage(people, { hint: null, currentId: null })],
  ['consent', consentPage(marisol, ['openid', 'notes.read'])],
  ['sign-out', logoutPage('')],
  ['end', signedOutPage()],
])(
  'the demo provider’s page for the %s names no product, because a team gives it another name',
  (_page, html) => {
    expect(html).toContain('<h1>');
    expect(html).not.toContain('Latchkey');
  },
);
