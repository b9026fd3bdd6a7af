// The table of what the token endpoint answers to a made-up code.

import { entraRows } from './entra.ts';
import { failureRows } from './failure.ts';
import { findAll, findFirst, row, type Finding, type Row } from './finding.ts';
import { isBareRefusal, type TokenAnswer, type TokenEvidence } from './token-endpoint.ts';

/** An answer to a made-up code, and what is known of the provider besides. */
interface AnswerEvidence extends TokenAnswer, Omit<TokenEvidence, 'answer'> {
  /** Whether the sign-in page knows the client. */
  readonly client: 'known' | 'unknown' | 'not-seen';
}

/** Codes that refuse the made-up code itself. Only the first is a standard's; the second is GitHub's. */
const refusesCode = /^(invalid_grant|bad_verification_code|invalid_code)$/;
/** Codes that refuse the client. The second is GitHub's. */
const refusesClient = /^(invalid_client|incorrect_client_credentials)$/;
const secretWords = /client[ _-]?secret|client[ _-]?assertion/i;
const originWords = /\borigin\b|\bcors\b|cross-origin/i;

const isSuccess = ({ status }: TokenAnswer) => status >= 200 && status < 300;
const isClientRefused = ({ status, error }: TokenAnswer) =>
  refusesClient.test(error) || (status === 401 && error === '');
const isOriginRefused = (answer: AnswerEvidence) =>
  (isBareRefusal(answer) && !answer.isRefusedAnyway) || originWords.test(answer.description);

/** The remedy for a provider that wants a secret. */
export const secretRemedy =
  'Register a public client (no secret, PKCE; also called native or single-page application). If the provider has none, put a broker between.';

const brokenRows = failureRows('token-endpoint-broken', 'The token endpoint', 'token_endpoint');

/** An error with a status of success, whatever the error is. */
const statusRows: readonly Row<AnswerEvidence>[] = [
  row.warning(
    'errors-with-200',
    (answer) => isSuccess(answer) && answer.error !== '',
    ({ quoted }) =>
      `The token endpoint answers an error as a success: ${quoted}. The extension then cannot tell a refusal from a fault, and keeps a session that has ended.`,
    'Put a broker or a relay between that answers with the status of the standard.',
  ),
];

const answerRows: readonly Row<AnswerEvidence>[] = [
  row.ok(
    'token-endpoint',
    ({ error }) => refusesCode.test(error),
    'The token endpoint accepts the Origin of the extension, and refuses only the made-up code.',
  ),
  row.error(
    'code-unchecked',
    (answer) => isSuccess(answer) && answer.error === '' && answer.text.includes('access_token'),
    'The token endpoint gives tokens for a made-up code: anyone can sign in as anyone.',
    'Do not use this provider until it checks the code.',
  ),
  row.warning(
    'token-answer-unclear',
    (answer) => isSuccess(answer) && answer.error === '',
    'The token endpoint answers a made-up code with success and without a token.',
    'Compare "token_endpoint" with the documents of the provider.',
  ),
  ...entraRows,
  row.error(
    'secret-wanted',
    ({ description }) => secretWords.test(description),
    ({ quoted }) => `The token endpoint wants a secret: ${quoted}.`,
    secretRemedy,
  ),
  row.error(
    'origin-refused',
    isOriginRefused,
    ({ target: { name, origin }, quoted }) =>
      `The token endpoint refuses requests with the Origin of the extension, ${name === 'firefox' ? 'moz-extension://<random>' : origin}: ${quoted}.`,
    ({ target: { name, origin } }) =>
      name === 'firefox'
        ? 'Allow any origin ("*") for this client (CORS, "web origins"), because the id is another in each installation. A provider without such a setting cannot be used in Firefox.'
        : `Allow the origin ${origin} for this client (CORS, "web origins").`,
  ),
  row.error(
    'token-endpoint-broken',
    (answer) => isBareRefusal(answer),
    ({ quoted }) => `The token endpoint refuses every request: ${quoted}.`,
    'Look for a rule of a firewall, or for a setting that lists the origins which may ask (CORS, "web origins").',
  ),
  row.error(
    'secret-wanted',
    // Only a client that the provider knows gets an answer at its redirect URI.
    (answer) => isClientRefused(answer) && answer.client === 'known',
    ({ quoted }) => `The provider knows the client and wants a secret of it: ${quoted}.`,
    secretRemedy,
  ),
  row.error(
    'secret-wanted',
    isClientRefused,
    ({ quoted }) =>
      `The token endpoint refuses the client: ${quoted}. It wants a secret, or it does not know the client ID.`,
    `Compare "clientId". ${secretRemedy}`,
  ),
  row.error(
    'client-type',
    ({ error, client }) => error === 'unauthorized_client' && client === 'known',
    ({ quoted }) => `The client may not redeem codes: ${quoted}.`,
    'Enable the authorization code flow for this client, as a public one.',
  ),
  row.error(
    'client-type',
    ({ error }) => error === 'unauthorized_client',
    ({ quoted }) =>
      `The token endpoint refuses the client: ${quoted}. It does not know the client ID or the redirect URI, or the client may not redeem codes.`,
    'Compare "clientId" and the registered redirect URIs, and enable the authorization code flow for this client, as a public one.',
  ),
  row.error(
    'code-flow-missing',
    ({ error }) => error === 'unsupported_grant_type',
    ({ quoted }) => `The provider redeems no codes: ${quoted}.`,
    'Enable the authorization code flow for this client.',
  ),
  row.error(
    'request-refused',
    ({ error }) => error === 'invalid_target',
    ({ quoted }) => `The provider does not know "resource": ${quoted}.`,
  ),
  row.error(
    'dpop',
    ({ error }) => error === 'use_dpop_nonce' || error === 'invalid_dpop_proof',
    ({ quoted }) => `The provider wants DPoP: ${quoted}.`,
    'Set "dpop" to "auto".',
  ),
  row.error(
    'token-endpoint-broken',
    ({ status }) => status === 404 || status === 405 || status === 410,
    ({ quoted }) => `Nothing answers at the token endpoint: ${quoted}.`,
    'Name the right address as "token_endpoint" in "metadata".',
  ),
  row.warning(
    'token-answer-unclear',
    () => true,
    ({ quoted }) => `The token endpoint answers a made-up code in a way that says nothing: ${quoted}.`,
    'Sign in once and see. A healthy provider answers "invalid_grant".',
  ),
];

/** Judges what the token endpoint did, with what the sign-in page has shown of the client in mind. */
export function judgeToken(
  { target, answer, isRefusedAnyway }: TokenEvidence,
  client: AnswerEvidence['client'],
): readonly Finding[] {
  const targets = [target.name];
  if (answer.kind !== 'answered') return findFirst(brokenRows, answer, targets);
  const evidence = { ...answer, target, isRefusedAnyway, client };
  const findings = [...findAll(statusRows, evidence, targets), ...findFirst(answerRows, evidence, targets)];
  // The sign-in page has said it itself.
  const refused: readonly Finding['code'][] = ['secret-wanted', 'client-type'];
  return findings.filter(({ code }) => client !== 'unknown' || !refused.includes(code));
}
