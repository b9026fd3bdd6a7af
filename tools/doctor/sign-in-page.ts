// Sends the authorization request of each browser with `prompt=none` and without cookies. A provider that accepts it
// redirects to the redirect URI and says that no one is signed in; one that does not know the redirect URI shows a page.

import type { Provider } from '../../src/config/provider.ts';
import { createAuthorizationRequest, readAuthorizationResponse } from '../../src/oidc/authorize.ts';
import {
  createDiagnosis,
  findError,
  readDiagnosis,
  withDiagnosis,
  type Registration,
} from '../../src/oidc/diagnosis.ts';
import type { FetchedPage } from '../../src/oidc/exchange.ts';
import type { Metadata } from '../../src/oidc/discover.ts';
import { idTokenFlow, readIdTokenResponse } from '../../src/oidc/id-token-flow.ts';
import { parseObject } from '../../src/oidc/json-object.ts';
import { createProviderClient } from '../../src/oidc/provider-client.ts';
import { findOAuthError, isInteractionRequired } from '../../src/oidc/rejection.ts';
import { ProblemError, type Diagnosis } from '../../src/session/problem.ts';
import { toChromeUri } from '../redirect-uris.ts';
import { entraRows, namesUnknownRedirectUri } from './entra.ts';
import { readFailure, type Failure } from './failure.ts';
import { quoteAnswer, quoteProblem, type Finding } from './finding.ts';
import { judgePage } from './page-findings.ts';
import type { Target } from './targets.ts';
import { createPageWorld, type Gate, type PageForm } from './world.ts';

/** The outcome of an authorization request. */
export interface PageEvidence {
  readonly provider: Provider;
  readonly target: Target;
  /**
   * `answered`: at the redirect URI. `page`: the provider shows one. `elsewhere`: it redirects to another host. `circles`: it
   * redirects without end. `not-pushed`: the request could not be created.
   */
  readonly kind: 'answered' | 'page' | 'elsewhere' | 'circles' | 'not-pushed' | Failure['kind'];
  /** The text of the page; otherwise empty. */
  readonly text: string;
  /** The status of the page; otherwise 0. */
  readonly status: number;
  /** The error of OAuth, at the redirect URI or on the page; empty if there is none. */
  readonly error: string;
  /** Whether the extension accepts the answer at the redirect URI, or its error says that only a person is missing. */
  readonly isAccepted: boolean;
  /** The cause that the page or the error names; null if there is none. */
  readonly diagnosis: Diagnosis | null;
  /** The answer, to be printed. */
  readonly quoted: string;
  /** Advice about an endpoint that does not answer; otherwise empty. */
  readonly remedy: string;
  /** The outcome for a made-up redirect URI, if the extension's own one got a page; otherwise null. */
  readonly madeUp: 'refused' | 'alike' | null;
}

/**
 * Sends the request for a target, and judges the answer. If the provider shows a page in place of one, asks once more with a
 * redirect URI that isn't registered: if it refuses that one, it accepts the other.
 */
export async function examinePage(
  gate: Gate,
  provider: Provider,
  metadata: Metadata,
  target: Target,
): Promise<readonly Finding[]> {
  const ask = async (asked: Target) => {
    const evidence = await askPage(gate, provider, metadata, asked, 'any');
    // Asked for data, some providers describe a redirect in it.
    return isOtherData(evidence) ? askPage(gate, provider, metadata, asked, 'html') : evidence;
  };
  const evidence = await ask(target);
  if (!isPlainPage(evidence)) return judgePage(evidence);
  const redirectUri = toChromeUri(makeUpId(), provider.id);
  const madeUp = await ask({ ...target, redirectUri });
  const isRefused = judgePage(madeUp).some(({ code }) => code === 'redirect-uri-unknown');
  return judgePage({ ...evidence, madeUp: isRefused ? 'refused' : 'alike' });
}

/** An id in the form of Chromium. */
function makeUpId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return [...bytes].map((byte) => 'abcdefghijklmnop'.charAt(byte % 16)).join('');
}

async function askPage(
  gate: Gate,
  provider: Provider,
  metadata: Metadata,
  target: Target,
  form: PageForm,
): Promise<PageEvidence> {
  const { redirectUri, origin } = target;
  const world = createPageWorld(gate, origin, form);
  // The page opens in a window, which needs no permission.
  const origins = [...gate.origins, new URL(metadata.authorization_endpoint).origin];
  const client = createProviderClient(world, { ...provider, origins });
  const registration = { redirectUri, clientId: provider.clientId };
  const isImplicit = provider.responseType === 'id_token';
  const createRequest = isImplicit ? idTokenFlow.createRequest : createAuthorizationRequest;
  const readAnswer = isImplicit ? readIdTokenResponse : readAuthorizationResponse;
  const nothing: PageEvidence = {
    provider,
    target,
    kind: 'circles',
    text: '',
    status: 0,
    error: '',
    isAccepted: false,
    diagnosis: null,
    quoted: quoteAnswer(metadata.authorization_endpoint),
    remedy: '',
    madeUp: null,
  };
  const create = () =>
    withDiagnosis(registration, () => createRequest(client, metadata, redirectUri, { prompt: 'none' }, null));
  const request = await create().catch(toProblemError);
  if (request instanceof ProblemError) {
    const { diagnosis } = request;
    const kind = readFailure(request, world).kind === 'not-contacted' ? 'not-contacted' : 'not-pushed';
    return { ...nothing, kind, diagnosis, quoted: quoteProblem(request) };
  }
  try {
    const page = await client.fetchPage(request.url);
    if (page === null) return nothing;
    const { status, text } = page;
    const { error, description } = findError(page) ?? { error: '', description: '' };
    const said = description === '' ? error : `${error}: ${description}`;
    const quoted = error === '' ? `HTTP ${status}` : quoteAnswer(said);
    const diagnosis = readCause(page, registration);
    return { ...nothing, kind: 'page', text, status, error, diagnosis, quoted };
  } catch (error) {
    const address = world.redirectedTo();
    if (address === null) {
      const { kind, text: quoted, remedy } = readFailure(error, world);
      return { ...nothing, kind, quoted, remedy };
    }
    if (address.split(/[?#]/, 1)[0] === redirectUri) {
      const answer = await readAnswer(client, metadata, request, address).catch(toProblemError);
      return { ...nothing, kind: 'answered', ...readRefusal(answer) };
    }
    const diagnosis = readDiagnosis({ status: 302, url: address, text: '' }, registration);
    const quoted = quoteAnswer(diagnosis === null ? new URL(address).host : address);
    return { ...nothing, kind: 'elsewhere', diagnosis, quoted };
  }
}

function toProblemError(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  throw error;
}

/** The cause that a page names, or that its status suggests; null if there is none. */
function readCause(page: FetchedPage, registration: Registration): Diagnosis | null {
  if (namesUnknownRedirectUri(page)) return createDiagnosis('redirect-uri', 'known', registration);
  const { status } = page;
  const isReported = findError(page) !== null;
  // The words of a page prove nothing by themselves: a page for signing in may say "redirect URI" too.
  const isRefusal = isReported || (status >= 400 && status < 500 && status !== 429);
  const diagnosis = isRefusal ? readDiagnosis(page, registration) : null;
  // Only an unknown client or redirect URI is shown on a page (RFC 6749 section 4.1.2.1).
  const isGuess = diagnosis === null && status === 400 && !isReported;
  return isGuess ? createDiagnosis('redirect-uri', 'guess', registration) : diagnosis;
}

/** Reads what the extension makes of the answer at the redirect URI. */
function readRefusal(answer: ProblemError | URLSearchParams) {
  if (answer instanceof URLSearchParams) return { isAccepted: true };
  const error = findOAuthError(answer) ?? '';
  const isAccepted = isInteractionRequired(answer) || error === 'access_denied';
  return { isAccepted, error, quoted: quoteProblem(answer) };
}

/** Whether a page is data without an error. */
function isOtherData({ kind, error, text }: PageEvidence): boolean {
  return kind === 'page' && error === '' && parseObject(text) !== null;
}

/** Whether the provider shows a page, or goes on to another host, and says of the request neither yes nor no. */
function isPlainPage({ kind, status, error, text, diagnosis }: PageEvidence): boolean {
  if (diagnosis !== null) return false;
  // Some providers answer 401 with the page on which one signs in.
  const isShown = kind === 'page' && (status < 400 || (status === 401 && error === ''));
  return kind === 'elsewhere' || (isShown && !entraRows.some(({ when }) => when({ text })));
}
