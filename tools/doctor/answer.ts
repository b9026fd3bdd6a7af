// The response of an endpoint; or why there's no usable one, according to the problem that the extension's code reports and the
// error of Node's network.

import { findError } from '../../src/oidc/why.ts';
import type { FetchedPage } from '../../src/oidc/http.ts';
import { ProblemError } from '../../src/session/problem.ts';
import { quoteAnswer, quoteError, quoteProblem, rowsFor, type FindingCode, type Row } from './finding.ts';
import { StoppedError } from './world.ts';

/** A response of an endpoint, or why there is none. A member that says nothing is empty or 0. */
export interface Answer {
  /** `not-contacted`: nothing was sent. `unusable`: there is a response that the extension can't use. */
  readonly kind: 'answered' | StoppedError['kind'] | 'unanswered' | 'unusable';
  /** The HTTP status, also if it is the reason. */
  readonly status: number;
  readonly text: string;
  readonly error: string;
  readonly description: string;
  /** The host that wasn't contacted, or the address of the redirect. Not to be printed. */
  readonly address: string;
  /** The status and the error, or the reason; to be printed. */
  readonly quoted: string;
  readonly remedy: string;
  /** `warning` if a browser may get a response, or the endpoint may respond later. */
  readonly severity: 'error' | 'warning';
}

const nothing = { status: 0, text: '', error: '', description: '', address: '', remedy: '' } as const;

export function toAnswer(page: FetchedPage): Answer {
  const { status, text } = page;
  const { error = '', description = '' } = findError(page) ?? {};
  // The error pages of Microsoft Entra have its code in a script.
  const said = error || (/\bAADSTS\d{1,9}\b/.exec(text)?.[0] ?? '');
  const quoted = `HTTP ${status}${said && `, ${quoteError(said, description)}`}`;
  return { ...nothing, kind: 'answered', status, text, error, description, quoted, severity: 'error' };
}

type Reason = Pick<Answer, 'quoted' | 'remedy' | 'severity'> & { readonly kind: string };

const row = rowsFor<Reason>();
const quoted = (reason: Reason) => reason.quoted;

/** The row for an endpoint that doesn't respond. `start` begins its sentence. */
export const unansweredRow = (code: FindingCode, start: string): Row<Reason> =>
  row.by(({ severity }) => severity)(code, ({ kind }) => kind === 'unanswered')`
    ${() => start}${quoted}.
    ${({ remedy }) => remedy}`;

/**
 * The rows for an endpoint without a usable response. `name` begins their sentences, and `member` is the endpoint's name in
 * the discovery document.
 */
export const failureRows = (code: FindingCode, name: string, member: string): readonly Row<Reason>[] => [
  row.error(code, ({ kind }) => kind === 'redirected')`
    ${() => name} redirects to ${quoted}, and the extension follows no redirect there.
    Name the right address as "${() => member}" in "metadata".`,
  unansweredRow(code, `${name} fails: `),
  row.error(code, ({ kind }) => kind === 'unusable')`
    ${() => name} can't be used: ${quoted}.
    Open that address, or set the right one as "${() => member}" in "metadata".`,
];

const proxyVariables = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/** Errors of Node's network, or else problems of the extension: what they say, and what to do. */
const reasons: readonly (readonly [RegExp, Answer['severity'], text: string, remedy: string])[] = [
  [
    /^(ENOTFOUND|EAI_AGAIN)$/,
    'error',
    'There is no such host',
    'Correct the host in the configuration, or connect to the network that knows it.',
  ],
  [/^ECONNREFUSED$/, 'error', 'Nothing listens there', 'Start the provider, or correct host and port.'],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_/,
    'warning',
    "Node doesn't trust the certificate",
    'If a browser on this computer trusts it, name the file of its authority in NODE_EXTRA_CA_CERTS. If not, no sign-in can work.',
  ],
  [/^timed-out$/, 'error', "didn't respond in time.", 'Try again later, or look for a firewall.'],
];

const tryAgain = 'Try again later, or look for a proxy or firewall.';

const isOverloaded = (status: number) => status === 429 || status >= 500;

/** Reads why a request has failed. Rethrows anything but a {@link ProblemError}. */
export function readFailure(thrown: unknown, environment: NodeJS.ProcessEnv = process.env): Answer {
  if (!(thrown instanceof ProblemError)) throw thrown;
  const { code: problem, detail, cause } = thrown;
  const status = Number(/\bHTTP (\d{3})\b/.exec(detail ?? '')?.[1] ?? 0);
  const failure = { ...nothing, kind: 'unanswered', status, severity: 'error' } as const;
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
    const advice = `Node doesn't use the proxy in ${proxy} by itself. Set NODE_USE_ENV_PROXY=1 (Node 24 or later).`;
    return { ...failure, severity: 'warning', quoted: `${detail} (${code})`, remedy: advice };
  }
  const usual = [null, isOverloaded(status) ? 'warning' : 'error', '', tryAgain] as const;
  const [, severity, text, advice] = reasons.find(([codes]) => codes.test(code ?? problem)) ?? usual;
  const said = [detail, text, code && `(${code})`].filter(Boolean).join(' ').replace(/\.$/, '');
  return { ...failure, severity, quoted: said, remedy: advice };
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
