// Sends a made-up code to the token endpoint, as the worker would send a real one from each browser. A healthy endpoint
// refuses the code in the form of RFC 6749 section 5.2, which shows that it accepts the `Origin` of an extension. It doesn't
// show that the endpoint knows the client, because some look at the client only after the code.

import * as oauth from 'oauth4webapi';
import { toOwnParameters } from '../../src/oidc/authorize.ts';
import { toStandardAnswer } from '../../src/oidc/answer.ts';
import { findCause, originWords, secretWords } from '../../src/oidc/why.ts';
import { generateDpopKey, wantsDpop, withProof } from '../../src/oidc/resource.ts';
import { createSecret, parseObject } from '../../src/oidc/jwt.ts';
import { ProblemError } from '../../src/session/problem.ts';
import { failureRows, readFailure, toAnswer, type Answer } from './answer.ts';
import type { Subject } from './discovery.ts';
import { findFirst, quoteProblem, rowsFor, type Finding } from './finding.ts';
import type { Target } from '../redirect-uris.ts';
import { createClient } from './world.ts';

interface TokenEvidence extends Answer {
  readonly target: Target;
  readonly client: 'known' | 'unknown' | 'not-seen';
  /** Whether a request without an `Origin` is refused too. Called if the `Origin` may be the reason for the refusal. */
  readonly isRefusedAnyway: boolean;
}

/** Sends the made-up code from a target, and judges the response with what the sign-in page has shown in mind. */
export async function examineToken(
  subject: Subject,
  target: Target,
  client: TokenEvidence['client'],
): Promise<readonly Finding[]> {
  const answer = await send(subject, target);
  // A firewall refuses other programs too, whatever their origin.
  const isRefusedAnyway =
    isBareRefusal(answer) && isBareRefusal(await send(subject, { ...target, origin: null }));
  const findings = findFirst(rows, { ...answer, target, client, isRefusedAnyway }, [target.name]);
  // The sign-in page has said it itself.
  const said: readonly string[] = client === 'unknown' ? ['secret-wanted', 'client-type'] : [];
  return findings.filter(({ code }) => !said.includes(code));
}

/** Whether the token endpoint knows the grant for refresh tokens: it refuses a made-up one, and not the grant. */
export async function takesRefreshTokens(subject: Subject, target: Target): Promise<boolean> {
  const answer = await send(subject, target, 'refresh_token');
  return refusesGrant.test(answer.error);
}

async function send(
  { gate, provider, metadata }: Subject,
  { redirectUri, origin }: Pick<Target, 'redirectUri'> & { readonly origin: string | null },
  grant: 'authorization_code' | 'refresh_token' = 'authorization_code',
): Promise<Answer> {
  const client = createClient(gate, provider, origin);
  const secret = createSecret(client.world);
  const made =
    grant === 'refresh_token'
      ? { refresh_token: secret }
      : { code: secret, redirect_uri: redirectUri, code_verifier: createSecret(client.world) };
  const parameters = { ...made, ...toOwnParameters(provider, {}) };
  try {
    // A provider that doesn't support the configured DPoP has a finding of its own.
    const sendsProof = findDpopProblem(provider, metadata) === '' && wantsDpop(provider, metadata);
    const dpopKey = sendsProof ? await generateDpopKey() : null;
    // An error may come with any status. The finding quotes the provider's own.
    let status = 0;
    const response = await withProof(client, dpopKey, (proof) =>
      oauth.genericTokenEndpointRequest(metadata, client.oauthClient, oauth.None(), grant, parameters, {
        ...client.options,
        ...proof,
        async [oauth.customFetch](url, request) {
          const answer = await client.exchange.fetchAtOnce(url, request);
          ({ status } = answer);
          return toStandardAnswer(provider, answer);
        },
      }),
    );
    return toAnswer({ status, text: await response.text(), url: '' });
  } catch (error) {
    return readFailure(error);
  }
}

/** Why the configured DPoP can't work, to be printed; empty if it can. */
export function findDpopProblem(...[provider, metadata]: Parameters<typeof wantsDpop>): string {
  try {
    wantsDpop(provider, metadata);
    return '';
  } catch (error) {
    if (error instanceof ProblemError) return quoteProblem(error);
    throw error;
  }
}

/** Codes that refuse the made-up value. Only the first is a standard's. */
const refusesGrant = /^(invalid_grant|invalid_code)$/;

/** Casdoor had an error in its place (https://github.com/casdoor/casdoor/issues/2964), and no token has a space. */
const hasToken = ({ text }: Answer) => !/\s|^undefined$/.test(String(parseObject(text)?.['access_token']));

const isSuccess = ({ status }: Answer) => status >= 200 && status < 300;

/** Whether a request is refused without an error of OAuth, as servers do that compare the `Origin`. */
const isBareRefusal = ({ kind, status, error }: Answer) =>
  kind === 'answered' && status === 403 && error === '';

const isClientRefused = (answer: Answer) =>
  findCause(answer) === 'client' || (answer.status === 401 && answer.error === '');

const isOriginRefused = (answer: TokenEvidence) =>
  (isBareRefusal(answer) && !answer.isRefusedAnyway) || originWords.test(answer.description);

/** The remedy for a provider that requires a secret. */
export const toPublicClient = () =>
  'Register a public client (no secret, PKCE; also called native or single-page application). If the provider has none, put a broker between.';

const row = rowsFor<TokenEvidence>();
const quoted = (answer: Answer) => answer.quoted;

const rows = [
  ...failureRows('token-endpoint-broken', 'The token endpoint', 'token_endpoint'),
  row.ok('token-endpoint', ({ error }) => refusesGrant.test(error))`
    The token endpoint accepts the Origin of the extension, and refuses only the made-up code.`,
  row.error('code-unchecked', (answer) => isSuccess(answer) && hasToken(answer))`
    The token endpoint issues tokens for a made-up code, so anyone could sign in as anyone.
    Don't use this provider until it checks the code.`,
  row.error('client-type', (answer) => findCause(answer) === 'platform')`
    Microsoft Entra takes this client for another kind of program: ${quoted}.
    Register the redirect URI under the platform "Single-page application", and remove it from the others. If it already is, check whether a proxy strips the "Origin" header.`,
  row.error('secret-wanted', ({ description }) => secretWords.test(description))`
    The token endpoint requires a secret: ${quoted}.
    ${toPublicClient}`,
  row.error('origin-refused', (answer) => isOriginRefused(answer) && answer.target.name === 'firefox')`
    The token endpoint refuses requests with the Origin of the extension, moz-extension://<random>: ${quoted}.
    Allow any origin ("*") for this client (CORS, "web origins"), because the ID is different in every installation. A provider that can't do this can't be used in Firefox.`,
  row.error('origin-refused', isOriginRefused)`
    The token endpoint refuses requests with the Origin of the extension, ${({ target }) => target.origin}: ${quoted}.
    Allow the origin ${({ target }) => target.origin} for this client (CORS, "web origins").`,
  row.error('token-endpoint-broken', isBareRefusal)`
    The token endpoint refuses every request: ${quoted}.
    Look for a rule of a firewall, or for a setting that lists the origins which may ask (CORS, "web origins").`,
  row.error('client-type', ({ error, client }) => error === 'unauthorized_client' && client === 'known')`
    The client may not redeem codes: ${quoted}.
    Enable the authorization code flow for this client, as a public one.`,
  row.error('client-type', ({ error }) => error === 'unauthorized_client')`
    The token endpoint refuses the client: ${quoted}. It doesn't know the client ID or the redirect URI, or the client may not redeem codes.
    Compare "clientId" and the registered redirect URIs, and enable the authorization code flow for this client, as a public one.`,
  // Only a client that the provider knows gets a response at its redirect URI.
  row.error('secret-wanted', (answer) => isClientRefused(answer) && answer.client === 'known')`
    The provider knows the client and requires a secret of it: ${quoted}.
    ${toPublicClient}`,
  row.error('secret-wanted', isClientRefused)`
    The token endpoint refuses the client: ${quoted}. It requires a secret, or it doesn't know the client ID.
    Compare "clientId". ${toPublicClient}`,
  row.error('code-flow-missing', ({ error }) => error === 'unsupported_grant_type')`
    The provider redeems no codes: ${quoted}.
    Enable the authorization code flow for this client.`,
  row.error('request-refused', ({ error }) => error === 'invalid_target')`
    The provider doesn't know "resource": ${quoted}.`,
  row.error('dpop', ({ error }) => /^(use_dpop_nonce|invalid_dpop_proof)$/.test(error))`
    The provider requires DPoP: ${quoted}.
    Set "dpop" to "auto".`,
  row.error('token-endpoint-broken', ({ status }) => [404, 405, 410].includes(status))`
    Nothing responds at the token endpoint: ${quoted}.
    Set "token_endpoint" in "metadata" to the right address.`,
  row.warning('token-answer-unclear', ({ kind }) => kind === 'answered')`
    The token endpoint's response to a made-up code is inconclusive: ${quoted}.
    Sign in once and see. A healthy provider responds with "invalid_grant".`,
];
