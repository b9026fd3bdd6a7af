// Says why an endpoint gave no answer that can be used, by the problem of the extension's code and the error of Node's
// network.

import { ProblemError } from '../../src/session/problem.ts';
import { quoteAnswer, quoteProblem, row, type FindingCode, type Row } from './finding.ts';
import { NotContactedError, type DoctorWorld } from './world.ts';

/** Why there is no answer. All texts may be printed. */
export interface Failure {
  /** `not-contacted`: nothing was sent. `unusable`: there is an answer, of which the extension can make nothing. */
  readonly kind: 'not-contacted' | 'redirected' | 'unanswered' | 'unusable';
  /** The reason as a sentence, or in quotation marks the address of a redirect or what is unusable. */
  readonly text: string;
  /** Advice about an endpoint that does not answer; otherwise empty. */
  readonly remedy: string;
  /** `certain`: a browser would not get an answer either. */
  readonly certainty: 'certain' | 'only-here';
  /** The status of HTTP; null if that is not the reason. */
  readonly status: number | null;
}

/**
 * The rows for an endpoint without an answer that can be used. `name` begins their sentences, and `member` is its name in
 * the discovery document.
 */
export const failureRows = (code: FindingCode, name: string, member: string): readonly Row<Failure>[] => [
  row.error(
    code,
    ({ kind }) => kind === 'redirected',
    ({ text }) => `${name} redirects to ${text}, and the extension follows no redirect there.`,
    `Name the right address as "${member}" in "metadata".`,
  ),
  row.warning(
    code,
    ({ kind, status }) => kind === 'unanswered' && status !== null,
    ({ text }) => `${name} fails: ${text}`,
    ({ remedy }) => remedy,
  ),
  row.error(
    code,
    ({ kind }) => kind === 'unanswered',
    ({ text }) => `${name} fails: ${text}`,
    ({ remedy }) => remedy,
  ),
  row.error(
    code,
    ({ kind }) => kind === 'unusable',
    ({ text }) => `${name} cannot be used: ${text}.`,
    `Open that address, or name the right one as "${member}" in "metadata".`,
  ),
];

const proxyVariables = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/** Reads why a request in this world has failed. Throws what is no {@link ProblemError}. */
export function readFailure(
  error: unknown,
  { redirectedTo }: Pick<DoctorWorld, 'redirectedTo'>,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Failure {
  if (!(error instanceof ProblemError)) throw error;
  const { code, detail, cause } = error;
  const [, digits] = /\bHTTP (\d{3})\b/.exec(detail ?? '') ?? [];
  const failure = { remedy: '', certainty: 'certain', status: digits ? Number(digits) : null } as const;
  const address = redirectedTo();
  if (cause instanceof NotContactedError) return { ...failure, kind: 'not-contacted', text: cause.message };
  if (address !== null) return { ...failure, kind: 'redirected', text: quoteAnswer(address) };
  if (code !== 'timed-out' && code !== 'provider-unreachable') {
    return { ...failure, kind: 'unusable', text: quoteProblem(error) };
  }
  return { ...failure, kind: 'unanswered', ...explainSilence(error, environment) };
}

/** Errors of Node's network, and what they say. */
const reasons = [
  {
    codes: /^(ENOTFOUND|EAI_AGAIN)$/,
    certainty: 'certain',
    text: 'There is no such host',
    remedy: 'Correct the host in the configuration, or connect to the network that knows it.',
  },
  {
    codes: /^ECONNREFUSED$/,
    certainty: 'certain',
    text: 'Nothing listens there',
    remedy: 'Start the provider, or correct host and port.',
  },
  {
    codes: /CERT|SELF_SIGNED|UNABLE_TO_/,
    certainty: 'only-here',
    text: 'Node does not trust the certificate',
    remedy:
      'If a browser on this computer trusts it, name the file of its authority in NODE_EXTRA_CA_CERTS. If not, no sign-in can work.',
  },
] as const;

/** Explains a `provider-unreachable` or `timed-out`. */
function explainSilence(
  { code: problem, detail, cause }: ProblemError,
  environment: Readonly<Record<string, string | undefined>>,
): Pick<Failure, 'certainty' | 'text' | 'remedy'> {
  const certainty = 'certain';
  if (problem === 'timed-out') {
    const remedy = 'Try again later, or look for a firewall.';
    return { certainty, text: `${detail} did not answer in time.`, remedy };
  }
  const code = findNodeCode(cause);
  const remedy = 'Try again later, or look for a proxy or firewall.';
  if (code === null) return { certainty, text: detail ?? problem, remedy };
  const proxy = proxyVariables.find((name) => environment[name]);
  if (proxy !== undefined && !environment['NODE_USE_ENV_PROXY']) {
    return {
      certainty: 'only-here',
      text: `${detail} (${code})`,
      remedy: `Node does not use the proxy in ${proxy} by itself. Set NODE_USE_ENV_PROXY=1 (Node 24 or later).`,
    };
  }
  const reason = reasons.find(({ codes }) => codes.test(code));
  if (reason === undefined) return { certainty, text: `${detail} (${code})`, remedy };
  return { ...reason, text: `${detail} ${reason.text} (${code}).` };
}

/** The code of Node's error, such as `ENOTFOUND`, of this error or of one of its causes. */
function findNodeCode(error: unknown): string | null {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('code' in current && typeof current.code === 'string' && /^[A-Z\d_]{1,60}$/.test(current.code)) {
      return current.code;
    }
    // Node tries each address of a host.
    if (current instanceof AggregateError) return findNodeCode(current.errors[0]);
  }
  return null;
}
