// The table of what the authorization endpoint makes of a request that was sent silently and without cookies.

import { entraRows } from './entra.ts';
import { findFirst, row, type Finding, type Row } from './finding.ts';
import type { PageEvidence } from './sign-in-page.ts';

const accepted = 'The provider shows its page for the redirect URI, and refuses a made-up one.';
const compareByEye =
  'Compare the registered redirect URIs by eye. A provider that ignores "prompt=none" cannot renew a session silently either.';

/** Why it is not known whether the redirect URI is registered. */
const reasons: Readonly<Partial<Record<PageEvidence['kind'], string>>> = {
  answered: 'It fails:',
  page: 'It answers',
  elsewhere: 'Whatever it is asked, it goes on to',
  circles: 'It redirects in circles at',
  unusable: 'Its answer is not read:',
};

const probably = ({ diagnosis }: PageEvidence) => (diagnosis?.certainty === 'guess' ? 'probably ' : '');
const isServerError = ({ error }: PageEvidence) => /^(server_error|temporarily_unavailable)$/.test(error);

const rows: readonly Row<PageEvidence>[] = [
  row.ok(
    'redirect-uri',
    ({ isAccepted }) => isAccepted,
    'The provider accepts the client, the scope and the redirect URI.',
  ),
  ...entraRows,
  row.error(
    'redirect-uri-unknown',
    ({ diagnosis }) => diagnosis?.cause === 'redirect-uri',
    (evidence) => `The redirect URI is ${probably(evidence)}not registered: ${evidence.quoted}.`,
    ({ target }) => `Register exactly ${target.redirectUri}`,
  ),
  row.error(
    'client-unknown',
    ({ diagnosis }) => diagnosis?.cause === 'client',
    (evidence) => `The provider ${probably(evidence)}does not know this client ID: ${evidence.quoted}.`,
    'Register it as a public client, or correct "clientId".',
  ),
  row.warning(
    'response-rejected',
    ({ kind, error }) => kind === 'answered' && error === '',
    ({ quoted }) => `The extension rejects the answer at its redirect URI: ${quoted}.`,
    'Compare the named check with the settings of the provider. Silent renewals fail, and sign-ins may too.',
  ),
  row.error(
    'scope',
    ({ kind, error }) => kind === 'answered' && error === 'invalid_scope',
    ({ quoted }) => `The provider refuses the scope: ${quoted}.`,
    'Correct "scope", or allow the scope for this client.',
  ),
  row.error(
    'code-flow-missing',
    ({ kind, error, provider }) =>
      kind === 'answered' &&
      provider.responseType === 'code' &&
      /^(unauthorized_client|unsupported_response_type)$/.test(error),
    ({ quoted }) => `The client may not use the authorization code flow: ${quoted}.`,
    'Enable that flow for this client, as a public one.',
  ),
  row.error(
    'request-refused',
    (evidence) => evidence.diagnosis !== null || (evidence.kind === 'answered' && !isServerError(evidence)),
    (evidence) => `The provider ${probably(evidence)}refuses the authorization request: ${evidence.quoted}.`,
    'Compare "scope", "authorizationParameters", "resource" and "audience" with the settings of the client.',
  ),
  row.error(
    'request-refused',
    ({ kind }) => kind === 'not-pushed',
    ({ quoted }) => `The authorization request cannot be pushed: ${quoted}.`,
    'Set "par" to "off" if the provider does not require it.',
  ),
  row.ok(
    'redirect-uri',
    // Plain OAuth 2 has no silent request.
    ({ madeUp, provider }) => madeUp === 'refused' && provider.userApi !== null,
    accepted,
  ),
  row.warning(
    'redirect-uri',
    ({ madeUp }) => madeUp === 'refused',
    `${accepted} It ignores "prompt=none", so a session cannot be renewed silently.`,
    'If there are no refresh tokens, a session ends with its access token.',
  ),
  row.warning(
    'redirect-uri-unclear',
    ({ kind, madeUp }) => kind === 'page' && madeUp === 'alike',
    'The provider shows a page in place of an answer, and the same one for a made-up redirect URI. So whether it accepts the client, the scope and the redirect URI cannot be seen from outside.',
    `Sign in once and see. ${compareByEye}`,
  ),
  row.error(
    'page-broken',
    ({ kind }) => kind === 'unanswered',
    ({ quoted }) => `The sign-in page cannot be opened: ${quoted}`,
    ({ remedy }) => remedy,
  ),
  row.error(
    'page-broken',
    ({ status }) => status === 404 || status === 410,
    ({ quoted }) => `There is no sign-in page at the authorization endpoint: ${quoted}.`,
    'Correct "issuer", or name the page as "authorization_endpoint" in "metadata".',
  ),
  row.warning(
    'page-broken',
    ({ status }) => status >= 500,
    ({ quoted }) => `The sign-in page fails: ${quoted}.`,
    'Try again later, or look at the log of the provider.',
  ),
  row.warning(
    'redirect-uri-unclear',
    ({ kind }) => reasons[kind] !== undefined,
    ({ kind, quoted }) =>
      `The authorization endpoint does not say whether it accepts the redirect URI. ${reasons[kind]} ${quoted}.`,
    compareByEye,
  ),
];

/** Judges what came of a request. */
export function judgePage(evidence: PageEvidence): readonly Finding[] {
  return findFirst(rows, evidence, [evidence.target.name]);
}
