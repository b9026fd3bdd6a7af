// Error codes of Microsoft Entra. They stand in the text of a page or of a description, and say more than the error beside
// them.

import { everywhere, type Finding } from './finding.ts';

const registerAsSpa =
  'At Microsoft Entra, register the redirect URI under the platform "Single-page application", and remove it from the others.';

const meanings: readonly (readonly [code: string, toFinding: (code: string) => Finding])[] = [
  [
    'AADSTS9002326',
    (code) =>
      everywhere(
        'error',
        'client-type',
        `The redirect URI is registered for a web or native client, and the extension redeems the code as a single-page application does (${code}).`,
        registerAsSpa,
      ),
  ],
  [
    'AADSTS9002327',
    (code) =>
      everywhere(
        'error',
        'client-type',
        `The redirect URI is registered for a single-page application, and the request came without the Origin of one (${code}).`,
        'Look for a proxy that removes the header "Origin".',
      ),
  ],
  [
    'AADSTS7000218',
    (code) =>
      everywhere(
        'error',
        'secret-wanted',
        `The provider wants a client secret (${code}), and an extension cannot keep one.`,
        registerAsSpa,
      ),
  ],
  [
    'AADSTS700016',
    (code) =>
      everywhere(
        'error',
        'client-unknown',
        `The tenant does not know this client ID (${code}).`,
        'Correct "clientId", or the tenant in "issuer".',
      ),
  ],
  [
    'AADSTS50194',
    (code) =>
      everywhere(
        'error',
        'client-type',
        `The client is registered for one tenant, and the issuer stands for many (${code}).`,
        'Put the id of the tenant into "issuer", or register the client for several tenants.',
      ),
  ],
  [
    'AADSTS90002',
    (code) =>
      everywhere(
        'error',
        'issuer-mistake',
        `There is no such tenant (${code}).`,
        'Correct the tenant in "issuer".',
      ),
  ],
];

/** The code for a redirect URI that is not registered. */
const unknownRedirectUri = 'AADSTS50011';

/** Returns what a code in the text of a provider means; `redirect-uri` for an unregistered one, null without a known code. */
export function findAnswerCode(text: string): Finding | 'redirect-uri' | null {
  const codes = new Set(text.match(/\bAADSTS\d{4,8}\b/g));
  if (codes.has(unknownRedirectUri)) return 'redirect-uri';
  const [code, toFinding] = meanings.find(([known]) => codes.has(known)) ?? [];
  return code === undefined || toFinding === undefined ? null : toFinding(code);
}
