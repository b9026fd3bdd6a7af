// Sends the authorization request of each browser with `prompt=none` and without cookies. A provider that accepts it
// redirects to the redirect URI and says that nobody is signed in; one that does not know the redirect URI shows a page.

import type { Provider } from '../../src/config/provider.ts';
import { toProviderOrigins } from '../../src/config/origins.ts';
import {
  createAuthorizationRequest,
  readAuthorizationResponse,
  type AuthorizationRequest,
} from '../../src/oidc/authorize.ts';
import { findError, readDiagnosis, withDiagnosis, type Registration } from '../../src/oidc/diagnosis.ts';
import type { Metadata } from '../../src/oidc/discover.ts';
import type { FetchedPage } from '../../src/oidc/exchange.ts';
import { createProviderClient, type ProviderClient } from '../../src/oidc/provider-client.ts';
import { findOAuthError, isInteractionRequired } from '../../src/oidc/rejection.ts';
import { ProblemError, type Diagnosis } from '../../src/session/problem.ts';
import { findAnswerCode } from './answer-codes.ts';
import { everywhere, quoteAnswer, type Finding } from './finding.ts';
import type { Target } from './targets.ts';
import { explainUnreachable } from './unreachable.ts';
import { createPageWorld, type WorldParts } from './world.ts';

/** Sends the request for a target. */
export async function probeWindow(
  parts: WorldParts,
  provider: Provider,
  metadata: Metadata,
  target: Target,
): Promise<Finding> {
  const { redirectUri, origin } = target;
  const origins = [...toProviderOrigins(provider), new URL(metadata.authorization_endpoint).origin];
  const world = createPageWorld(parts, origin, origins);
  // The page opens in a window, which needs no permission.
  const client = createProviderClient(world, { ...provider, origins });
  const registration = { redirectUri, clientId: provider.clientId };
  let request: AuthorizationRequest | null = null;
  try {
    request = await withDiagnosis(registration, () =>
      createAuthorizationRequest(client, metadata, redirectUri, { prompt: 'none' }),
    );
    const page = await client.fetchPage(request.url);
    return page === null
      ? unclear('It redirects in circles.', target)
      : judgePage(page, target, registration);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const redirectedTo = world.redirectedTo();
    if (request === null) return explainPushFailure(error, target);
    if (redirectedTo === null) return explainFailure(error, target);
    return judgeRedirect(redirectedTo, { client, metadata, request, target, registration });
  }
}

interface Sent {
  readonly client: ProviderClient;
  readonly metadata: Metadata;
  readonly request: AuthorizationRequest;
  readonly target: Target;
  readonly registration: Registration;
}

/** Judges a redirect that leaves the provider. */
async function judgeRedirect(url: string, sent: Sent): Promise<Finding> {
  const { client, metadata, request, target, registration } = sent;
  if (url.split(/[?#]/, 1)[0] !== target.redirectUri) {
    const diagnosis = readDiagnosis({ status: 302, url, text: '' }, registration);
    if (diagnosis !== null) return explainDiagnosis(diagnosis, quoteAnswer(url), target);
    return unclear(`It goes on to ${quoteAnswer(new URL(url).host)} in place of an answer.`, target);
  }
  try {
    await readAuthorizationResponse(client, metadata, request, url);
    return accept(target);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return judgeError(error, target);
  }
}

/** Judges the error that the redirect URI got. */
function judgeError(error: ProblemError, target: Target): Finding {
  const reported = findOAuthError(error);
  const quoted = quoteAnswer(error.detail ?? error.code);
  if (isInteractionRequired(error) || reported === 'access_denied') return accept(target);
  if (reported === null) {
    return at(
      target,
      'warning',
      'response-rejected',
      `The extension rejects the answer at its redirect URI: ${quoted}.`,
      'Compare the named check with the settings of the provider. Silent renewals fail, and sign-ins may too.',
    );
  }
  if (reported === 'invalid_scope') {
    return everywhere(
      'error',
      'scope',
      `The provider refuses the scope: ${quoted}.`,
      'Correct "scope", or allow the scope for this client.',
    );
  }
  if (reported === 'server_error' || reported === 'temporarily_unavailable') {
    return unclear(`It fails: ${quoted}.`, target);
  }
  if (reported === 'unauthorized_client' || reported === 'unsupported_response_type') {
    return everywhere(
      'error',
      'code-flow-missing',
      `The client may not use the authorization code flow: ${quoted}.`,
      'Enable that flow for this client, as a public one.',
    );
  }
  return everywhere(
    'error',
    'request-refused',
    `The provider refuses the authorization request: ${quoted}.`,
    'Compare "scope", "authorizationParameters", "resource" and "audience" with the settings of the client.',
  );
}

/** Judges a page that the provider shows in place of an answer. */
function judgePage(page: FetchedPage, target: Target, registration: Registration): Finding {
  const { status } = page;
  const known = findAnswerCode(page.text);
  if (known === 'redirect-uri') return unknownUri(target, 'known', `HTTP ${status}`);
  if (known !== null) return known;
  const reported = findError(page);
  // The words of a page prove nothing by themselves: a page for signing in may say "redirect URI" in a script.
  const diagnosis = reported !== null || isRefusal(status) ? readDiagnosis(page, registration) : null;
  const quoted =
    reported === null ? `HTTP ${status}` : quoteAnswer(`${reported.error}: ${reported.description}`);
  if (diagnosis !== null) return explainDiagnosis(diagnosis, quoted, target);
  if (status === 404 || status === 410) {
    return everywhere(
      'error',
      'page-broken',
      `There is no sign-in page at the authorization endpoint: ${quoted}.`,
      'Correct "issuer", or name the page as "authorization_endpoint" in "metadata".',
    );
  }
  if (status >= 500) return everywhere('warning', 'page-broken', `The sign-in page fails: ${quoted}.`, later);
  // Only an unknown client or redirect URI is shown on a page (RFC 6749 section 4.1.2.1).
  if (status === 400 && reported === null) return unknownUri(target, 'guess', quoted);
  return unclear(status < 400 ? 'It shows a page in place of an answer.' : `It answers ${quoted}.`, target);
}

const later = 'Try again later, or look at the log of the provider.';

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

function explainDiagnosis({ cause, certainty }: Diagnosis, quoted: string, target: Target): Finding {
  if (cause === 'redirect-uri') return unknownUri(target, certainty, quoted);
  const probably = certainty === 'guess' ? 'probably ' : '';
  return cause === 'client'
    ? everywhere(
        'error',
        'client-unknown',
        `The provider ${probably}does not know this client ID: ${quoted}.`,
        'Register it as a public client, or correct "clientId".',
      )
    : everywhere(
        'error',
        'request-refused',
        `The provider ${probably}refuses the authorization request: ${quoted}.`,
        'Compare "scope", "authorizationParameters", "resource" and "audience" with the settings of the client.',
      );
}

function unknownUri(target: Target, certainty: Diagnosis['certainty'], quoted: string): Finding {
  const { redirectUri } = target;
  return at(
    target,
    'error',
    'redirect-uri-unknown',
    `The redirect URI is ${certainty === 'guess' ? 'probably ' : ''}not registered: ${quoted}.`,
    `Register exactly ${redirectUri}`,
  );
}

function accept(target: Target): Finding {
  return at(target, 'ok', 'redirect-uri', 'The provider accepts the client, the scope and the redirect URI.');
}

function unclear(reason: string, target: Target): Finding {
  return at(
    target,
    'warning',
    'redirect-uri-unclear',
    `The authorization endpoint does not say whether it accepts the redirect URI. ${reason}`,
    'Compare the registered redirect URIs by eye. A provider that ignores "prompt=none" cannot renew a session silently either.',
  );
}

function explainPushFailure(error: ProblemError, target: Target): Finding {
  const quoted = quoteAnswer(error.detail ?? error.code);
  if (error.diagnosis !== null) return explainDiagnosis(error.diagnosis, quoted, target);
  return everywhere(
    'error',
    'request-refused',
    `The authorization request cannot be pushed: ${quoted}.`,
    'Set "par" to "off" if the provider does not require it.',
  );
}

function explainFailure(error: ProblemError, target: Target): Finding {
  if (error.code !== 'provider-unreachable' && error.code !== 'timed-out') {
    return unclear(`Its answer is not read: ${quoteAnswer(error.detail ?? error.code)}.`, target);
  }
  const { text, remedy } = explainUnreachable(error);
  return everywhere('error', 'page-broken', `The sign-in page cannot be opened: ${text}`, remedy);
}

function at(
  { name }: Target,
  severity: Finding['severity'],
  code: Finding['code'],
  text: string,
  remedy: string | null = null,
): Finding {
  return { code, severity, targets: [name], text, remedy };
}
