// Error codes of Microsoft Entra. They stand in the text of a page or of a description, and say more than the error beside
// them.

import { row, type Row } from './finding.ts';

const has =
  (code: string) =>
  ({ text }: { readonly text: string }) =>
    new RegExp(`\\b${code}\\b`).test(text);

const registerAsSpa =
  'At Microsoft Entra, register the redirect URI under the platform "Single-page application", and remove it from the others.';

/** Whether a text names the code for a redirect URI that is not registered. */
export const namesUnknownRedirectUri = has('AADSTS50011');

/** The other codes. The evidence is an answer of the provider. */
export const entraRows: readonly Row<{ readonly text: string }>[] = [
  row.error(
    'client-type',
    has('AADSTS9002326'),
    'The redirect URI is registered for a web or native client, and the extension redeems the code as a single-page application does (AADSTS9002326).',
    registerAsSpa,
  ),
  row.error(
    'client-type',
    has('AADSTS9002327'),
    'The redirect URI is registered for a single-page application, and the request came without the Origin of one (AADSTS9002327).',
    'Look for a proxy that removes the header "Origin".',
  ),
  row.error(
    'secret-wanted',
    has('AADSTS7000218'),
    'The provider wants a client secret (AADSTS7000218), and an extension cannot keep one.',
    registerAsSpa,
  ),
  row.error(
    'client-unknown',
    has('AADSTS700016'),
    'The tenant does not know this client ID (AADSTS700016).',
    'Correct "clientId", or the tenant in "issuer".',
  ),
  row.error(
    'client-type',
    has('AADSTS50194'),
    'The client is registered for one tenant, and the issuer stands for many (AADSTS50194).',
    'Put the id of the tenant into "issuer", or register the client for several tenants.',
  ),
  row.error(
    'issuer-mistake',
    has('AADSTS90002'),
    'There is no such tenant (AADSTS90002).',
    'Correct the tenant in "issuer".',
  ),
];
