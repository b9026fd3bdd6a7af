// The doctor's findings, and the loop over the tables that produce them.

import { isErrorAnswer } from '../../src/oidc/problems.ts';
import type { ProblemError } from '../../src/session/problem.ts';
import type { TargetName } from '../redirect-uris.ts';

/** Every code of a finding, in the order in which docs/doctor.md explains them. */
export const findingCodes = [
  'key-missing',
  'provider-refused',
  'issuer-mistake',
  'email-unverified',
  'refresh-token-seconds',
  'apis',
  'profile-settings',
  'loopback-redirect',
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
  'page-hidden',
  'response-rejected',
  'not-checked',
  'clock',
] as const;

export type FindingCode = (typeof findingCodes)[number];

/** One thing that the doctor found out. All of its text may be printed: text of a provider is one short line of ASCII. */
export interface Finding {
  readonly code: FindingCode;
  /** `ok`: as it should be. `note`: good to know. `warning`: less works, or it isn't certain. `error`: a sign-in can't work. */
  readonly severity: 'ok' | 'note' | 'warning' | 'error';
  readonly targets: readonly TargetName[] | 'all';
  readonly text: string;
  /** One or two sentences that say what to do; null if there is nothing to do. */
  readonly remedy: string | null;
}

/** A row of a table of findings: returns the finding if the evidence fits. */
export type Row<Evidence> = (evidence: Evidence) => Omit<Finding, 'targets'> | null;

const rowOf =
  <Evidence>(judge: (evidence: Evidence) => Finding['severity']) =>
  (code: FindingCode, when: (evidence: Evidence) => boolean) =>
  (
    words: TemplateStringsArray,
    ...values: readonly ((evidence: Evidence) => string | number)[]
  ): Row<Evidence> =>
  (evidence) => {
    if (!when(evidence)) return null;
    const said = String.raw({ raw: words }, ...values.map((value) => value(evidence)));
    const [text = '', remedy = null] = said.trim().split(/\n\s*/);
    return { code, severity: judge(evidence), text, remedy };
  };

/**
 * Makes the rows of a table. The words of a row are a template: its first line is the text, and the next one says what to do.
 * A value in it is a function of the evidence, and quotes the provider's own words with {@link quoteAnswer}.
 */
export const rowsFor = <Evidence>() => ({
  ok: rowOf<Evidence>(() => 'ok'),
  note: rowOf<Evidence>(() => 'note'),
  warning: rowOf<Evidence>(() => 'warning'),
  error: rowOf<Evidence>(() => 'error'),
  /** A row whose severity the evidence decides. */
  by: rowOf<Evidence>,
});

/** The findings of the rows that fit the evidence: the first for each code. `targets` is where the evidence was seen. */
export function findAll<Evidence>(
  rows: readonly Row<Evidence>[],
  evidence: Evidence,
  targets: Finding['targets'] = 'all',
): readonly Finding[] {
  const found = new Map<FindingCode, Finding>();
  for (const row of rows) {
    const finding = row(evidence);
    if (finding !== null && !found.has(finding.code)) found.set(finding.code, { ...finding, targets });
  }
  return [...found.values()];
}

/** The finding of the first row that fits, of a table in which each row excludes those after it. */
export function findFirst<Evidence>(...args: Parameters<typeof findAll<Evidence>>): readonly Finding[] {
  return findAll(...args).slice(0, 1);
}

/** Joins findings that differ only in their targets, at the place of the first. */
export function mergeFindings(
  findings: readonly Finding[],
  examined: readonly TargetName[],
): readonly Finding[] {
  const merged = new Map<string, Finding>();
  for (const finding of findings) {
    const { targets: _targets, ...said } = finding;
    const key = JSON.stringify(said);
    const targets = examined.filter((name) => holdsIn(finding, name) || holdsIn(merged.get(key), name));
    merged.set(key, { ...finding, targets: targets.length === examined.length ? 'all' : targets });
  }
  return [...merged.values()];
}

/** Whether there is a finding that applies to a target. */
export function holdsIn(finding: Finding | undefined, target: TargetName): boolean {
  return finding !== undefined && (finding.targets === 'all' || finding.targets.includes(target));
}

/** The longest text of a provider that is printed, in characters. */
const maxQuoted = 200;

/**
 * Quotes untrusted text, such as an error of the provider: cut, on one line, in printable ASCII, and without the queries of
 * URLs.
 */
export function quoteAnswer(text: string): string {
  const line = text
    .slice(0, maxQuoted * 2)
    .replace(/[^\x20-\x7e]+/g, ' ')
    .replace(/\?\S*/g, '?…')
    .trim();
  return `"${line.length > maxQuoted ? `${line.slice(0, maxQuoted)}…` : line}"`;
}

/** Quotes an error of the provider and what it says about it. */
export function quoteError(error: string, description = ''): string {
  return quoteAnswer(description === '' ? error : `${error}: ${description}`);
}

/** Quotes an error of the provider in its own words, and any other problem in ours. */
export function quoteProblem({ code, detail, cause }: ProblemError): string {
  return isErrorAnswer(cause)
    ? quoteError(cause.error, cause.error_description)
    : quoteAnswer(detail ?? code);
}

/** Quotes the first few of some names from a provider or the configuration. */
export function quoteNames(names: readonly string[], separator = ', '): string {
  const shown = names.slice(0, 8).map((name) => quoteAnswer(name.slice(0, 60)));
  return `${shown.join(separator)}${names.length > shown.length ? ', …' : ''}`;
}

/** Writes settings as the configuration has them. */
export function quoteSettings(settings: object): string {
  return Object.entries(settings)
    .map(([name, value]) => `"${name}": ${JSON.stringify(value)}`)
    .join(', ');
}
