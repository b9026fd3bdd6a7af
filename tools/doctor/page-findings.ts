// The table of what the authorization endpoint makes of a request that was sent silently and without cookies.

import { entraRows, namesUnknownRedirectUri } from './entra.ts';
import { findFirst, row, type Finding, type Row } from './finding.ts';
import type { PageEvidence } from './sign-in-page.ts';

const compareRequest =
  'Compare "scope", "authorizationParameters", "resource" and "audience" with the settings of the client.';
const compareByEye = 'Compare the registered redirect URIs by eye.';
const compareBoth = `${compareByEye} A provider that ignores "prompt=none" cannot renew a session silently either.`;
const unclear = 'The authorization endpoint does not say whether it accepts the redirect URI.';
const accepted = 'The provider shows its page for the redirect URI, and refuses a made-up one.';

const probably = ({ diagnosis }: PageEvidence) => (diagnosis?.certainty === 'guess' ? 'probably ' : '');
const registerExactly = ({ target }: PageEvidence) => `Register exactly ${target.redirectUri}`;
const isServerError = ({ error }: PageEvidence) => /^(server_error|temporarily_unavailable)$/.test(error);

const rows: readonly Row<PageEvidence>[] = [
  row.ok(
    'redirect-uri',
    ({ isAccepted }) => isAccepted,
    'The provider accepts the client, the scope and the redirect URI.',
  ),
  row.error(
    'redirect-uri-unknown',
    namesUnknownRedirectUri,
    ({ quoted }) => `The redirect URI is not registered: ${quoted}.`,
    registerExactly,
  ),
  ...entraRows,
  row.error(
    'redirect-uri-unknown',
    ({ diagnosis }) => diagnosis?.cause === 'redirect-uri',
    (evidence) => `The redirect URI is ${probably(evidence)}not registered: ${evidence.quoted}.`,
    registerExactly,
  ),
  row.error(
    'client-unknown',
    ({ diagnosis }) => diagnosis?.cause === 'client',
    (evidence) => `The provider ${probably(evidence)}does not know this client ID: ${evidence.quoted}.`,
    'Register it as a public client, or correct "clientId".',
  ),
  row.error(
    'request-refused',
    ({ diagnosis }) => diagnosis !== null,
    (evidence) => `The provider ${probably(evidence)}refuses the authorization request: ${evidence.quoted}.`,
    compareRequest,
  ),
  row.error(
    'request-refused',
    ({ kind }) => kind === 'not-pushed',
    ({ quoted }) => `The authorization request cannot be pushed: ${quoted}.`,
    'Set "par" to "off" if the provider does not require it.',
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
  row.warning(
    'redirect-uri-unclear',
    (evidence) => evidence.kind === 'answered' && isServerError(evidence),
    ({ quoted }) => `${unclear} It fails: ${quoted}.`,
    compareBoth,
  ),
  row.error(
    'request-refused',
    ({ kind }) => kind === 'answered',
    ({ quoted }) => `The provider refuses the authorization request: ${quoted}.`,
    compareRequest,
  ),
  row.ok(
    'redirect-uri', // Plain OAuth 2 has no silent request.
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
    ({ kind }) => kind === 'elsewhere',
    ({ quoted }) => `${unclear} It goes on to ${quoted} in place of an answer, whatever it is asked.`,
    compareBoth,
  ),
  row.warning(
    'redirect-uri-unclear',
    ({ madeUp }) => madeUp === 'alike',
    'The provider shows a page in place of an answer, and the same one for a made-up redirect URI: from outside nobody can see whether it accepts the client, the scope and the redirect URI.',
    `Sign in once and see. ${compareBoth}`,
  ),
  row.warning(
    'redirect-uri-unclear',
    ({ kind }) => kind === 'circles',
    `${unclear} It redirects in circles.`,
    compareBoth,
  ),
  row.error(
    'page-broken',
    ({ kind }) => kind === 'unanswered',
    ({ quoted }) => `The sign-in page cannot be opened: ${quoted}`,
    ({ remedy }) => remedy,
  ),
  row.warning(
    'redirect-uri-unclear',
    ({ kind }) => kind === 'unusable',
    ({ quoted }) => `${unclear} Its answer is not read: ${quoted}.`,
    compareBoth,
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
  row.error(
    'redirect-uri-unknown', // Only an unknown client or redirect URI is shown on a page (RFC 6749 section 4.1.2.1).
    ({ status, error }) => status === 400 && error === '',
    ({ quoted }) => `The redirect URI is probably not registered: ${quoted}.`,
    registerExactly,
  ),
  row.warning(
    'redirect-uri-unclear',
    ({ kind }) => kind === 'page',
    ({ quoted }) => `${unclear} It answers ${quoted}.`,
    compareBoth,
  ),
];

/** Judges what came of a request. */
export function judgePage(evidence: PageEvidence): readonly Finding[] {
  return findFirst(rows, evidence, [evidence.target.name]);
}
