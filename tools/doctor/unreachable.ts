// Says why a provider did not answer, by the error of Node's network.

import type { ProblemError } from '../../src/session/problem.ts';

export interface Reason {
  /** `certain`: a browser would not get an answer either. */
  readonly certainty: 'certain' | 'only-here';
  readonly text: string;
  readonly remedy: string;
}

const proxyVariables = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/** Explains a `provider-unreachable` or `timed-out`. */
export function explainUnreachable(
  { code: problem, detail, cause }: ProblemError,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Reason {
  const certain = (text: string, remedy: string): Reason => ({ certainty: 'certain', text, remedy });
  if (problem === 'timed-out') {
    return certain(`${detail} did not answer in time.`, 'Try again later, or look for a firewall.');
  }
  const code = findCode(cause);
  const proxy = proxyVariables.find((name) => environment[name]);
  if (proxy !== undefined && !environment['NODE_USE_ENV_PROXY'] && code !== null) {
    const remedy = `Node does not use the proxy in ${proxy} by itself. Set NODE_USE_ENV_PROXY=1 (Node 24 or later).`;
    return { certainty: 'only-here', text: `${detail} (${code})`, remedy };
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return certain(
      `${detail} There is no such host (${code}).`,
      'Correct the host in the configuration, or connect to the network that knows it.',
    );
  }
  if (code === 'ECONNREFUSED') {
    return certain(
      `${detail} Nothing listens there (${code}).`,
      'Start the provider, or correct host and port.',
    );
  }
  if (code !== null && /CERT|SELF_SIGNED|UNABLE_TO_/.test(code)) {
    const remedy =
      'If a browser on this computer trusts it, name the file of its authority in NODE_EXTRA_CA_CERTS. If not, no sign-in can work.';
    return { certainty: 'only-here', text: `Node does not trust the certificate (${code}).`, remedy };
  }
  const suffix = code === null ? '' : ` (${code})`;
  return certain(`${detail ?? problem}${suffix}`, 'Try again later, or look for a proxy or firewall.');
}

/** The code of Node's error, such as `ENOTFOUND`, of this error or of one of its causes. */
function findCode(error: unknown): string | null {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('code' in current && typeof current.code === 'string' && /^[A-Z\d_]{1,60}$/.test(current.code)) {
      return current.code;
    }
    // Node tries each address of a host.
    if (current instanceof AggregateError) return findCode(current.errors[0]);
  }
  return null;
}
