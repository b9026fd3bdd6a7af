// Judges the answer of an authorization endpoint to a request that was sent silently and without cookies.

import { findError, readDiagnosis, type Registration } from '../../src/oidc/diagnosis.ts';
import type { FetchedPage } from '../../src/oidc/exchange.ts';
import { findOAuthError, isInteractionRequired } from '../../src/oidc/rejection.ts';
import { ProblemError, type Diagnosis } from '../../src/session/problem.ts';
import { findAnswerCode } from './answer-codes.ts';
import { everywhere, quoteAnswer, quoteProblem, type Finding } from './finding.ts';
import type { Part } from './flow.ts';
import type { Target } from './targets.ts';
import { explainUnreachable } from './unreachable.ts';

/** The answer to a request: judged, or a page in place of one, which may be the page to sign in. */
export type WindowAnswer =
  | { readonly kind: 'judged'; readonly finding: Finding }
  | { readonly kind: 'page'; readonly reason: string };

/** Judges a redirect that leaves the provider. `read` validates an answer at the redirect URI. */
export async function judgeRedirect(
  url: string,
  read: () => Promise<unknown>,
  target: Target,
  registration: Registration,
): Promise<WindowAnswer> {
  if (url.split(/[?#]/, 1)[0] !== target.redirectUri) {
    const diagnosis = readDiagnosis({ status: 302, url, text: '' }, registration);
    if (diagnosis !== null) return judged(explainDiagnosis(diagnosis, quoteAnswer(url), target));
    const host = quoteAnswer(new URL(url).host);
    return { kind: 'page', reason: `It goes on to ${host} in place of an answer.` };
  }
  try {
    await read();
    return judged(accept(target));
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return judged(judgeError(error, target));
  }
}

function judged(finding: Finding): WindowAnswer {
  return { kind: 'judged', finding };
}

/** Judges the error that the redirect URI got. */
function judgeError(error: ProblemError, target: Target): Finding {
  const reported = findOAuthError(error);
  const quoted = quoteProblem(error);
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
export function judgePage(page: FetchedPage, target: Target, registration: Registration): WindowAnswer {
  const { status } = page;
  const known = findAnswerCode(page.text);
  if (known === 'redirect-uri') return judged(unknownUri(target, 'known', `HTTP ${status}`));
  if (known !== null) return judged(known);
  const reported = findError(page);
  // The words of a page prove nothing by themselves: a page for signing in may say "redirect URI" too.
  const diagnosis = reported !== null || isRefusal(status) ? readDiagnosis(page, registration) : null;
  const quoted =
    reported === null ? `HTTP ${status}` : quoteAnswer(`${reported.error}: ${reported.description}`);
  if (diagnosis !== null) return judged(explainDiagnosis(diagnosis, quoted, target));
  if (status < 400) return { kind: 'page', reason: 'It shows a page in place of an answer.' };
  return judged(judgeStatus(status, quoted, reported !== null ? 'reported' : 'silent', target));
}

function judgeStatus(status: number, quoted: string, error: 'reported' | 'silent', target: Target): Finding {
  if (status === 404 || status === 410) {
    return everywhere(
      'error',
      'page-broken',
      `There is no sign-in page at the authorization endpoint: ${quoted}.`,
      'Correct "issuer", or name the page as "authorization_endpoint" in "metadata".',
    );
  }
  if (status >= 500) {
    return everywhere('warning', 'page-broken', `The sign-in page fails: ${quoted}.`, later);
  }
  // Only an unknown client or redirect URI is shown on a page (RFC 6749 section 4.1.2.1).
  if (status === 400 && error === 'silent') return unknownUri(target, 'guess', quoted);
  return unclear(`It answers ${quoted}.`, target);
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

/** A page that a made-up redirect URI does not get. */
export function acceptPage(target: Target, parts: readonly Part[]): Finding {
  const text = 'The provider shows its page for the redirect URI, and refuses a made-up one.';
  // Plain OAuth 2 has no silent request.
  if (!parts.includes('id-token')) return at(target, 'ok', 'redirect-uri', text);
  return at(
    target,
    'warning',
    'redirect-uri',
    `${text} It ignores "prompt=none", so a session cannot be renewed silently.`,
    'If there are no refresh tokens, a session ends with its access token.',
  );
}

function accept(target: Target): Finding {
  return at(target, 'ok', 'redirect-uri', 'The provider accepts the client, the scope and the redirect URI.');
}

/** An answer that leaves it open whether the redirect URI is registered. */
export function unclear(reason: string, target: Target): Finding {
  return at(
    target,
    'warning',
    'redirect-uri-unclear',
    `The authorization endpoint does not say whether it accepts the redirect URI. ${reason}`,
    'Compare the registered redirect URIs by eye. A provider that ignores "prompt=none" cannot renew a session silently either.',
  );
}

/** Explains why the request could not be created. */
export function explainPushFailure(error: ProblemError, target: Target): Finding {
  const quoted = quoteProblem(error);
  if (error.diagnosis !== null) return explainDiagnosis(error.diagnosis, quoted, target);
  return everywhere(
    'error',
    'request-refused',
    `The authorization request cannot be pushed: ${quoted}.`,
    'Set "par" to "off" if the provider does not require it.',
  );
}

/** Explains why there is no answer. */
export function explainFailure(error: ProblemError, target: Target): Finding {
  if (error.code !== 'provider-unreachable' && error.code !== 'timed-out') {
    return unclear(`Its answer is not read: ${quoteProblem(error)}.`, target);
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
