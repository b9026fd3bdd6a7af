// The form of what the doctor finds.

import { isErrorAnswer } from '../../src/oidc/rejection.ts';
import type { ProblemError } from '../../src/session/problem.ts';
import { toSafeLine } from './safe-line.ts';

/** Every code of a finding, in the order in which docs/doctor.md explains them. */
export const findingCodes = [
  'key-missing',
  'provider-refused',
  'issuer-mistake',
  'email-unverified',
  'refresh-token-seconds',
  'profile-settings',
  'limit',
  'provider-unreachable',
  'discovery',
  'discovery-missing',
  'discovery-redirects',
  'discovery-unusable',
  'issuer-mismatch',
  'issuer-template',
  'host-missing',
  'endpoint-left-out',
  'no-id-token',
  'code-flow-missing',
  'algorithms',
  'pkce',
  'scope',
  'no-refresh-token',
  'no-revocation',
  'no-logout',
  'dpop',
  'keys',
  'keys-unusable',
  'token-endpoint',
  'token-endpoint-broken',
  'token-answer-unclear',
  'errors-with-200',
  'code-unchecked',
  'origin-refused',
  'secret-wanted',
  'client-unknown',
  'client-type',
  'redirect-uri',
  'redirect-uri-unknown',
  'redirect-uri-unclear',
  'request-refused',
  'page-broken',
  'response-rejected',
  'not-checked',
  'clock',
] as const;

export type FindingCode = (typeof findingCodes)[number];

/** Where an extension runs with a redirect URI of its own. `edge` is the build from Edge Add-ons, if its id is known. */
export type TargetName = 'chrome' | 'edge' | 'firefox';

/** One thing that the doctor found out. All of its text may be printed: text of a provider is one short line of ASCII. */
export interface Finding {
  readonly code: FindingCode;
  /** `ok`: as it should be. `note`: good to know. `warning`: less works, or it is not certain. `error`: a sign-in cannot work. */
  readonly severity: 'ok' | 'note' | 'warning' | 'error';
  /** Where this holds. */
  readonly targets: readonly TargetName[] | 'all';
  /** The finding in one or two sentences. */
  readonly text: string;
  /** One or two sentences that say what to do; null if there is nothing to do. */
  readonly remedy: string | null;
}

/** The longest text of a provider that is printed, in characters. */
const maxQuoted = 200;

/** Quotes untrusted text, such as an error of the provider: cut, on one line, in printable ASCII. */
export function quoteAnswer(text: string): string {
  const line = toSafeLine(text.slice(0, maxQuoted * 2)).trim();
  return `"${line.length > maxQuoted ? `${line.slice(0, maxQuoted)}…` : line}"`;
}

/** Quotes an error of the provider in its own words, and any other problem in ours. */
export function quoteProblem({ code, detail, cause }: ProblemError): string {
  if (!isErrorAnswer(cause)) return quoteAnswer(detail ?? code);
  const { error, error_description: description } = cause;
  return quoteAnswer(description === undefined ? error : `${error}: ${description}`);
}

/** A finding for every target. */
export function everywhere(
  severity: Finding['severity'],
  code: FindingCode,
  text: string,
  remedy: string | null = null,
): Finding {
  return { code, severity, targets: 'all', text, remedy };
}

/** Joins findings that differ only in their targets, at the place of the first. */
export function mergeFindings(findings: readonly Finding[]): readonly Finding[] {
  const merged = new Map<string, Finding>();
  for (const finding of findings) {
    const { code, severity, text, remedy } = finding;
    const key = JSON.stringify([code, severity, text, remedy]);
    const first = merged.get(key);
    merged.set(key, first === undefined ? finding : { ...first, targets: join(first, finding) });
  }
  return [...merged.values()];
}

function join({ targets: one }: Finding, { targets: other }: Finding): Finding['targets'] {
  return one === 'all' || other === 'all' ? 'all' : [...new Set([...one, ...other])];
}
