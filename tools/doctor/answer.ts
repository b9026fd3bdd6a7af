// The answer of an endpoint; or why there's no usable answer, according to the problem that the extension's code reports and the
// error of Node's network.

import { findError } from '../../src/oidc/diagnosis.ts';
import type { FetchedPage } from '../../src/oidc/exchange.ts';
import { ProblemError } from '../../src/session/problem.ts';
import { quoteAnswer, quoteError, quoteProblem, rowsFor, type FindingCode, type Row } from './finding.ts';
import { StoppedError } from './world.ts';

/** An answer of an endpoint. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  /** The error of OAuth, and its description; empty if there is none. */
  readonly error: string;
  readonly description: string;
  /** The status and the error, to be printed. */
  readonly quoted: string;
}

export function toAnswer(page: FetchedPage): Answer {
  const { status, text } = page;
  const { error: code = '', description = '' } = findError(page) ?? {};
  // The error pages of Microsoft Entra have its code in a script.
  const said = code || (/\bAADSTS\d{1,9}\b/.exec(text)?.[0] ?? '');
  return {
    status,
    text,
    error: code,
    description,
    quoted: `HTTP ${status}${said && `, ${quoteError(said, description)}`}`,
  };
}

/** Why there is no answer. */
export interface Failure {
  /** `not-contacted`: nothing was sent. `unusable`: there is an answer that the extension can't use. */
  readonly kind: StoppedError['kind'] | 'unanswered' | 'unusable';
  /** The host that was not contacted, or the address of the redirect; otherwise empty. Not to be printed. */
  readonly address: string;
  /** The reason, to be printed: sentences if there is no answer, or else in quotation marks. */
  readonly quoted: string;
  /** Advice about an endpoint that does not answer; otherwise empty. */
  readonly remedy: string;
  /** Whether a browser would not get an answer either. */
  readonly isCertain: boolean;
  /** The HTTP status; 0 if that is not the reason. */
  readonly status: number;
}

const row = rowsFor<Failure>();
const quoted = (failure: Failure) => failure.quoted;

/**
 * The rows for an endpoint without a usable answer. `name` begins their sentences, and `member` is the endpoint's name in
 * the discovery document.
 */
export const failureRows = (code: FindingCode, name: string, member: string): readonly Row<Failure>[] => [
  row.error(code, ({ kind }) => kind === 'redirected')`
    ${() => name} redirects to ${quoted}, and the extension follows no redirect there.
    Name the right address as "${() => member}" in "metadata".`,
  row.warning(code, ({ kind, status }) => kind === 'unanswered' && status > 0)`
    ${() => name} fails: ${quoted}.
    ${({ remedy }) => remedy}`,
  row.error(code, ({ kind }) => kind === 'unanswered')`
    ${() => name} fails: ${quoted}.
    ${({ remedy }) => remedy}`,
  row.error(code, ({ kind }) => kind === 'unusable')`
    ${() => name} cannot be used: ${quoted}.
    Open that address, or name the right one as "${() => member}" in "metadata".`,
];

const proxyVariables = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/** Errors of Node's network, or else problems of the extension: what they say, and what to do. */
const reasons: readonly (readonly [RegExp, isCertain: boolean, text: string, remedy: string])[] = [
  [
    /^(ENOTFOUND|EAI_AGAIN)$/,
    true,
    'There is no such host',
    'Correct the host in the configuration, or connect to the network that knows it.',
  ],
  [/^ECONNREFUSED$/, true, 'Nothing listens there', 'Start the provider, or correct host and port.'],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_/,
    false,
    'Node does not trust the certificate',
    'If a browser on this computer trusts it, name the file of its authority in NODE_EXTRA_CA_CERTS. If not, no sign-in can work.',
  ],
  [/^timed-out$/, true, 'did not answer in time.', 'Try again later, or look for a firewall.'],
];

/** Reads why a request has failed. Rethrows anything but a {@link ProblemError}. */
export function readFailure(thrown: unknown, environment: NodeJS.ProcessEnv = process.env): Failure {
  if (!(thrown instanceof ProblemError)) throw thrown;
  const { code: problem, detail, cause } = thrown;
  const [, status = 0] = /\bHTTP (\d{3})\b/.exec(detail ?? '') ?? [];
  const failure = { address: '', remedy: '', isCertain: true, status: Number(status) } as const;
  if (cause instanceof StoppedError) {
    const { kind, address } = cause;
    return { ...failure, kind, address, quoted: quoteAnswer(address) };
  }
  if (problem !== 'timed-out' && problem !== 'provider-unreachable') {
    return { ...failure, kind: 'unusable', quoted: quoteProblem(thrown) };
  }
  const code = findNodeCode(cause);
  const proxy = proxyVariables.find((name) => environment[name]);
  if (code !== null && proxy !== undefined && !environment['NODE_USE_ENV_PROXY']) {
    const remedy = `Node does not use the proxy in ${proxy} by itself. Set NODE_USE_ENV_PROXY=1 (Node 24 or later).`;
    return { ...failure, kind: 'unanswered', isCertain: false, quoted: `${detail} (${code})`, remedy };
  }
  const [, isCertain = true, text = '', remedy = 'Try again later, or look for a proxy or firewall.'] =
    reasons.find(([codes]) => codes.test(code ?? problem)) ?? [];
  const said = [detail, text, code && `(${code})`].filter(Boolean).join(' ').replace(/\.$/, '');
  return { ...failure, kind: 'unanswered', isCertain, quoted: said, remedy };
}

/** The code of Node's error, such as `ENOTFOUND`, of this error or of one of its causes. */
function findNodeCode(thrown: unknown): string | null {
  if (!(thrown instanceof Error)) return null;
  if ('code' in thrown && typeof thrown.code === 'string' && /^[A-Z\d_]{1,60}$/.test(thrown.code)) {
    return thrown.code;
  }
  // Node tries each address of a host.
  return findNodeCode(thrown instanceof AggregateError ? thrown.errors[0] : thrown.cause);
}
