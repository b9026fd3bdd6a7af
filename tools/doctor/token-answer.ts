// Judges the answer of a token endpoint to a made-up code. A healthy one refuses the code, and says so as RFC 6749 section
// 5.2 asks: then it accepts the client and the origin of the request.

import type { Finding } from './finding.ts';
import { findAnswerCode } from './answer-codes.ts';
import { everywhere, quoteAnswer } from './finding.ts';

export interface TokenAnswer {
  readonly status: number;
  readonly text: string;
}

/** The meaning of an answer. */
export type Verdict =
  /** The code alone is refused. */
  | { readonly kind: 'healthy'; readonly findings: readonly Finding[] }
  | { readonly kind: 'origin-refused'; readonly certainty: 'said' | 'guessed'; readonly quoted: string }
  /** A secret is wanted, or the client is unknown. */
  | { readonly kind: 'client-refused'; readonly quoted: string }
  | { readonly kind: 'found'; readonly findings: readonly Finding[] };

interface OAuthError {
  readonly error: string;
  readonly description: string;
}

const secretWords = /client[ _-]?secret|client[ _-]?assertion/i;
const originWords = /\borigin\b|\bcors\b|cross-origin/i;

/** Codes that refuse the made-up code itself. The second is GitHub's. */
const refusesCode: readonly string[] = ['invalid_grant', 'bad_verification_code'];
/** Codes that refuse the client. The second is GitHub's. */
const refusesClient: readonly string[] = ['invalid_client', 'incorrect_client_credentials'];

/** Judges an answer. */
export function judgeTokenAnswer({ status, text }: TokenAnswer): Verdict {
  const reported = readOAuthError(text);
  if (status >= 200 && status < 300) return judgeSuccess(text, reported);
  const known = findAnswerCode(text);
  if (known !== null && known !== 'redirect-uri') return { kind: 'found', findings: [known] };
  return judgeRefusal(status, reported);
}

function judgeSuccess(text: string, reported: OAuthError | null): Verdict {
  if (reported === null) {
    const isToken = text.includes('access_token');
    const finding = isToken
      ? everywhere(
          'error',
          'code-unchecked',
          'The token endpoint gives tokens for a made-up code: anyone can sign in as anyone.',
          'Do not use this provider until it checks the code.',
        )
      : everywhere(
          'warning',
          'token-answer-unclear',
          'The token endpoint answers a made-up code with success and without a token.',
          'Compare "token_endpoint" with the documents of the provider.',
        );
    return { kind: 'found', findings: [finding] };
  }
  const with200 = everywhere(
    'warning',
    'errors-with-200',
    `The token endpoint answers an error with status 200: ${quoteError(reported)}. The extension then cannot tell a refusal from a fault, and keeps a session that has ended.`,
    'Put a broker or a relay between that answers with the status of the standard.',
  );
  const verdict = judgeRefusal(400, reported);
  const further = 'findings' in verdict ? verdict.findings : toFindings(verdict);
  return { kind: 'found', findings: [with200, ...further] };
}

/** The findings of a verdict for which the other answers of the provider would say more. */
function toFindings({ quoted }: { readonly quoted: string }): readonly Finding[] {
  return [
    everywhere('error', 'secret-wanted', `The token endpoint refuses the client: ${quoted}.`, secretRemedy),
  ];
}

/** The remedy for a provider that wants a secret. */
export const secretRemedy =
  'Register a public client (no secret, PKCE; also called native or single-page application). If the provider has none, put a broker between.';

function judgeRefusal(status: number, reported: OAuthError | null): Verdict {
  const quoted = reported === null ? `HTTP ${status}` : `HTTP ${status}, ${quoteError(reported)}`;
  const found = (...findings: Finding[]): Verdict => ({ kind: 'found', findings });
  if (reported !== null) {
    const { error, description } = reported;
    if (refusesCode.includes(error)) return { kind: 'healthy', findings: [] };
    if (secretWords.test(description)) {
      return found(
        everywhere('error', 'secret-wanted', `The token endpoint wants a secret: ${quoted}.`, secretRemedy),
      );
    }
    if (originWords.test(description)) return { kind: 'origin-refused', certainty: 'said', quoted };
    if (refusesClient.includes(error)) return { kind: 'client-refused', quoted };
    const named = errorMeanings[error];
    if (named !== undefined) return found(named(quoted));
  }
  if (status === 401) return { kind: 'client-refused', quoted };
  if (status === 403) return { kind: 'origin-refused', certainty: 'guessed', quoted };
  if (status === 404 || status === 405 || status === 410) {
    return found(
      everywhere(
        'error',
        'token-endpoint-broken',
        `Nothing answers at the token endpoint: ${quoted}.`,
        'Name the right address as "token_endpoint" in "metadata".',
      ),
    );
  }
  return found(
    everywhere(
      'warning',
      'token-answer-unclear',
      `The token endpoint answers a made-up code in a way that says nothing: ${quoted}.`,
      'Sign in once and see. A healthy provider answers "invalid_grant".',
    ),
  );
}

const errorMeanings: Readonly<Record<string, ((quoted: string) => Finding) | undefined>> = {
  unauthorized_client: (quoted) =>
    everywhere(
      'error',
      'client-type',
      `The client may not redeem codes: ${quoted}.`,
      'Enable the authorization code flow for this client, as a public one.',
    ),
  unsupported_grant_type: (quoted) =>
    everywhere(
      'error',
      'code-flow-missing',
      `The provider redeems no codes: ${quoted}.`,
      'Enable the authorization code flow for this client.',
    ),
  invalid_target: (quoted) =>
    everywhere('error', 'request-refused', `The provider does not know "resource": ${quoted}.`),
  use_dpop_nonce: wantsProof,
  invalid_dpop_proof: wantsProof,
};

function wantsProof(quoted: string): Finding {
  return everywhere('error', 'dpop', `The provider wants DPoP: ${quoted}.`, 'Set "dpop" to "auto".');
}

/** Reads an error as JSON, or as the form that some providers send. */
function readOAuthError(text: string): OAuthError | null {
  try {
    const { error, error_description: description } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return typeof error === 'string' ? { error, description: String(description ?? '') } : null;
  } catch {
    // Not JSON.
    const form = new URLSearchParams(text.slice(0, 4096));
    const error = form.get('error');
    return error === null || !/^\w{1,60}$/.test(error)
      ? null
      : { error, description: form.get('error_description') ?? '' };
  }
}

function quoteError({ error, description }: OAuthError): string {
  return quoteAnswer(description === '' ? error : `${error}: ${description}`);
}
