// Sends the authorization request of each browser with `prompt=none` and without cookies. A provider that accepts it
// redirects to the redirect URI and says that no one is signed in; one that doesn't know the redirect URI shows a page.

import { randomUUID } from 'node:crypto';
import type { Provider } from '../../src/config/provider.ts';
import {
  createAuthorizationRequest,
  isUnprovenRefusal,
  readAuthorizationResponse,
} from '../../src/oidc/authorize.ts';
import { judgePage, withDiagnosis } from '../../src/oidc/why.ts';
import type { FetchedPage } from '../../src/oidc/http.ts';
import { idTokenFlow, readIdTokenResponse } from '../../src/parts/id-token.ts';
import { parseObject } from '../../src/oidc/jwt.ts';
import { findOAuthError, isInteractionRequired } from '../../src/oidc/problems.ts';
import { ProblemError, type Diagnosis } from '../../src/session/problem.ts';
import { toChromeExtensionId, toChromeUri, type Target } from '../redirect-uris.ts';
import { readFailure, toAnswer, unansweredRow, type Answer } from './answer.ts';
import type { Subject } from './discovery.ts';
import { findFirst, quoteAnswer, quoteProblem, rowsFor, type Finding } from './finding.ts';
import { createClient } from './world.ts';

interface Outcome extends Omit<Answer, 'kind'> {
  /**
   * `accepted`: the extension accepts the response at its redirect URI, or an error there says that only a user is missing.
   * `unproven`: an error there says so, and lacks the state or issuer that would prove whose it is. `answered`: with something
   * else. `page`: the provider shows one. `not-pushed`: the request couldn't be created.
   */
  readonly kind: 'accepted' | 'unproven' | 'page' | 'not-pushed' | Answer['kind'];
  /** The cause that the response names or suggests; null if there is none. */
  readonly diagnosis: Diagnosis | null;
}

interface PageEvidence extends Outcome {
  readonly provider: Provider;
  readonly target: Target;
  /** The outcome for a made-up redirect URI, if the extension's own one got a page; otherwise null. */
  readonly madeUp: 'refused' | 'alike' | null;
  /** The response to the second of two loads of a pushed request, to be printed; empty if both get the same response. */
  readonly second: string;
  /** The error status of the page that people see first, which Chromium's window doesn't show; null if it has none. */
  readonly hidden: number | null;
}

/**
 * Sends the request for a target, and judges the response. If the provider shows a page in place of one, asks once more with a
 * redirect URI that isn't registered: if it refuses that one, it accepts the other.
 */
export async function examinePage(subject: Subject, target: Target): Promise<readonly Finding[]> {
  const { provider } = subject;
  const outcome = await send(subject, target);
  const { kind, error, diagnosis } = outcome;
  let madeUp: PageEvidence['madeUp'] = null;
  if (diagnosis === null && error === '' && (kind === 'page' || kind === 'redirected')) {
    const redirectUri = toChromeUri(toChromeExtensionId(randomUUID()), provider.id);
    const other = await send(subject, { ...target, redirectUri });
    madeUp = other.diagnosis?.cause === 'redirect-uri' ? 'refused' : 'alike';
  }
  const isShown = kind === 'accepted' || (kind === 'page' && diagnosis === null);
  const hidden = target.name !== 'firefox' && isShown ? await findHiddenStatus(subject, target) : null;
  const isTwice = target.name === 'firefox' && (kind === 'accepted' || kind === 'page');
  const second = isTwice ? await loadTwice(subject, target) : '';
  return findFirst(rows, { ...outcome, provider, target, madeUp, second, hidden }, [target.name]);
}

/** Pushes a request, if the extension does, and opens its page twice, as Firefox does. Returns what is wrong with the second response. */
async function loadTwice(subject: Subject, target: Target): Promise<string> {
  const { client, createRequest } = prepare(subject, target);
  const { metadata } = subject;
  const load = async (url: string) => {
    const page = await client.exchange.fetchPage(url).catch(toRedirect);
    // Beyond the hosts of the provider it's the same for both.
    return toAnswer(page ?? redirectTo(''));
  };
  try {
    const { url } = await createRequest(client, metadata, target.redirectUri, { prompt: 'none' }, null);
    if (!new URL(url).searchParams.has('request_uri')) return '';
    const [first, second] = [await load(url), await load(url)];
    return first.status === second.status && first.error === second.error ? '' : second.quoted;
  } catch (error) {
    if (error instanceof ProblemError) return '';
    throw error;
  }
}

/** Opens the page as a person's window does, and returns its status if it's an error of the request, without a cause that is known. */
async function findHiddenStatus(subject: Subject, target: Target): Promise<number | null> {
  const { client, createRequest } = prepare(subject, target, 'window');
  const { provider, metadata } = subject;
  const { redirectUri } = target;
  try {
    const { url } = await createRequest(client, metadata, redirectUri, {}, null);
    const page = await client.exchange.fetchPage(url).catch(toRedirect);
    if (page === null || page.status < 400 || page.status >= 500) return null;
    return judgePage(page, { redirectUri, clientId: provider.clientId }) === null ? page.status : null;
  } catch (error) {
    if (error instanceof ProblemError) return null;
    throw error;
  }
}

function prepare(
  { gate, provider, metadata }: Subject,
  { origin }: Target,
  of: 'pages' | 'window' = 'pages',
) {
  const place = new URL(metadata.authorization_endpoint);
  // The page opens in a window, which needs no permission.
  const origins = [...gate.origins, place.origin];
  const client = createClient(gate, { ...provider, origins }, origin, of);
  const [createRequest, readResponse] =
    provider.responseType === 'id_token'
      ? [idTokenFlow.createRequest, readIdTokenResponse]
      : [createAuthorizationRequest, readAuthorizationResponse];
  return { place, client, createRequest, readResponse };
}

async function send(subject: Subject, target: Target): Promise<Outcome> {
  const { provider, metadata } = subject;
  const { redirectUri } = target;
  const { place, client, createRequest, readResponse } = prepare(subject, target);
  const registration = { redirectUri, clientId: provider.clientId };
  const attempt = <T>(run: () => Promise<T>) => withDiagnosis(registration, run).catch(toProblemError);

  const request = await attempt(() => createRequest(client, metadata, redirectUri, { prompt: 'none' }, null));
  if (request instanceof ProblemError) {
    const failure = readFailure(request);
    const kind = failure.kind === 'not-contacted' ? failure.kind : 'not-pushed';
    return { ...failure, kind, diagnosis: request.diagnosis, quoted: quoteProblem(request) };
  }

  const page = await attempt(() => client.exchange.fetchPage(request.url).catch(toRedirect));
  if (page instanceof ProblemError) return { ...readFailure(page), diagnosis: null };
  const { status, url, text } = page ?? redirectTo(place.href);
  const answer = toAnswer({ status, url, text });
  // Asked for data, some providers describe a redirect in it.
  const address = status === redirected ? url : parseObject(text)?.['url'];
  if (typeof address !== 'string' || address.split(/[?#]/, 1)[0] !== redirectUri) {
    const diagnosis = judgePage({ status, url, text }, registration);
    if (status !== redirected || answer.error !== '') return { ...answer, kind: 'page', diagnosis };
    const quoted = `${quoteAnswer(new URL(url).host)}${page === null ? ', in circles' : ''}`;
    return { ...answer, kind: 'redirected', diagnosis, quoted };
  }

  const response = await attempt(() => readResponse(client, metadata, request, address));
  if (!(response instanceof ProblemError)) return { ...answer, kind: 'accepted', diagnosis: null };
  const error = findOAuthError(response) ?? '';
  const isAccepted = isInteractionRequired(response) || error === 'access_denied';
  const kind = isUnprovenRefusal(response) ? 'unproven' : isAccepted ? 'accepted' : 'answered';
  return { ...answer, kind, error, diagnosis: response.diagnosis, quoted: quoteProblem(response) };
}

function toProblemError(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  throw error;
}

const redirected = 302;

/** A redirect that the doctor doesn't follow, as a page. */
const redirectTo = (url: string): FetchedPage => ({ status: redirected, url, text: '' });

function toRedirect(error: unknown): FetchedPage {
  const { kind, address } = readFailure(error);
  if (kind === 'redirected') return redirectTo(address);
  throw error;
}

const row = rowsFor<PageEvidence>();
const quoted = (evidence: PageEvidence) => evidence.quoted;
const compareByEye = () =>
  'Sign in once and see, and compare the registered redirect URIs by eye. A provider that ignores "prompt=none" can\'t renew a session silently either.';

const isRefused = ({ diagnosis }: PageEvidence) => diagnosis?.cause === 'request';
const isGuess = ({ diagnosis }: PageEvidence) => diagnosis?.certainty === 'guess';
const probably = (evidence: PageEvidence) => (isGuess(evidence) ? 'probably ' : '');
const severityOfGuess = (evidence: PageEvidence) => (isGuess(evidence) ? 'warning' : 'error');
const whatEveryoneGets = ({ kind, quoted: host }: PageEvidence) =>
  kind === 'redirected' ? `sends everyone on to ${host}` : 'shows everyone the same page first';
const isFlowRefused = ({ error, provider }: PageEvidence) =>
  provider.responseType === 'code' && /^(unauthorized_client|unsupported_response_type)$/.test(error);
const isOtherRefusal = ({ kind, error }: PageEvidence) =>
  kind === 'answered' && !/^(server_error|temporarily_unavailable)$/.test(error);

const rows = [
  // With the cookies of the first load, it may take the second.
  row.warning('request-refused', ({ second }) => second !== '')`
    The provider takes a pushed request once, and Firefox loads the authorization URL twice: then people see an error page. The second response is ${({ second }) => second}.
    Let the provider take a "request_uri" until it ends (RFC 9126, section 4). If it doesn't require pushed requests, set "par" to "off".`,
  row.warning('page-hidden', ({ hidden }) => hidden !== null)`
    Chrome's window shows no page with an error status, and the sign-in page has one: HTTP ${({ hidden }) => String(hidden)}.
    Let the provider respond with a status below 400. Only where the browser itself handles a 401, with Kerberos or NTLM, may it stay.`,
  row.ok('redirect-uri', ({ kind }) => kind === 'accepted')`
    The provider accepts the client, the scope and the redirect URI.`,
  row.error('redirect-uri-unknown', ({ diagnosis }) => diagnosis?.cause === 'redirect-uri')`
    The redirect URI is ${probably}not registered: ${quoted}.
    Register exactly ${({ target }) => target.redirectUri}`,
  row.error('client-unknown', ({ diagnosis }) => diagnosis?.cause === 'client')`
    The provider ${probably}doesn't know this client ID: ${quoted}.
    Register it as a public client, or correct "clientId".`,
  row.warning('response-rejected', ({ kind }) => kind === 'unproven')`
    The provider refuses a silent request without the "state" or the "iss" that its document promises, so no one can tell whose response it is.
    Let it send both with each error (RFC 6749 section 4.1.2.1, RFC 9207 section 2). Until then a silent sign-in can't find out that a person is gone, and a session without a refresh token lasts only as long as its access token.`,
  row.warning('response-rejected', ({ kind, error }) => kind === 'answered' && error === '')`
    The extension rejects the response at its redirect URI: ${quoted}.
    Compare the named check with the settings of the provider. Silent renewals fail, and sign-ins may too.`,
  row.error('scope', ({ error }) => error === 'invalid_scope')`
    The provider refuses the scope: ${quoted}.
    Correct "scope", or allow the scope for this client.`,
  row.error('code-flow-missing', isFlowRefused)`
    The client may not use the authorization code flow: ${quoted}.
    Enable that flow for this client, as a public one.`,
  row.error('request-refused', ({ kind }) => kind === 'not-pushed')`
    The authorization request can't be pushed: ${quoted}.
    Set "par" to "off" if the provider doesn't require it.`,
  row.by(severityOfGuess)('request-refused', (evidence) => isRefused(evidence) || isOtherRefusal(evidence))`
    The provider ${probably}refuses the authorization request: ${quoted}.
    Compare "scope", "authorizationParameters", "resource" and "audience" with the settings of the client.`,
  // Plain OAuth 2 has no silent request.
  row.ok('redirect-uri', ({ madeUp, provider }) => madeUp === 'refused' && provider.userApi !== null)`
    The provider shows its page for the redirect URI, and refuses a made-up one.`,
  row.warning('redirect-uri', ({ madeUp }) => madeUp === 'refused')`
    The provider shows its page for the redirect URI, and refuses a made-up one. It ignores "prompt=none", so a session can't be renewed silently.
    If there are no refresh tokens, a session ends with its access token.`,
  row.warning('redirect-uri-unclear', ({ madeUp }) => madeUp === 'alike')`
    Whether this provider accepts the client, the scope and the redirect URI can't be seen from outside: it ${whatEveryoneGets}.
    ${compareByEye}`,
  row.error('page-broken', ({ diagnosis }) => diagnosis?.cause === 'page-missing')`
    There is no sign-in page at the authorization endpoint: ${quoted}.
    Correct "issuer", or set the page as "authorization_endpoint" in "metadata".`,
  row.warning('page-broken', ({ diagnosis }) => diagnosis?.cause === 'page-down')`
    The sign-in page fails: ${quoted}.
    Try again later, or look at the log of the provider.`,
  unansweredRow('page-broken', "The sign-in page can't be opened: "),
  row.warning('redirect-uri-unclear', ({ kind }) => kind !== 'not-contacted')`
    The provider doesn't say whether it accepts the redirect URI: ${quoted}.
    ${compareByEye}`,
];
