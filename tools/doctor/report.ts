// The doctor's report, as `--json` prints it.

import type { Finding, TargetName } from './finding.ts';
import type { Fact } from './known-provider.ts';

/** The outlook of a sign-in. `works`: nothing that can be checked without a person speaks against it. */
export type Outlook = 'works' | 'unknown' | 'cannot-work';

export interface Report {
  /** The version of this form. */
  readonly version: 1;
  /** The configuration's file. */
  readonly config: string;
  readonly mode: 'online' | 'offline';
  /** The worst outlook of all providers. */
  readonly outlook: Outlook;
  readonly providers: readonly ProviderReport[];
}

export interface ProviderReport {
  readonly id: string;
  readonly name: string;
  readonly issuer: string;
  /** The profile of the provider, if it was recognized. */
  readonly profile: KnownFacts | null;
  readonly outlook: Readonly<Partial<Record<TargetName, Outlook>>>;
  readonly findings: readonly Finding[];
  readonly register: Register;
}

interface KnownFacts {
  readonly name: string;
  readonly title: string;
  readonly facts: readonly Fact[];
}

/** Everything to register at the provider. */
export interface Register {
  readonly redirectUris: Readonly<Partial<Record<TargetName, string>>>;
  /** The origins to allow, where the provider has a list of them. Firefox's is random, so only `*` lets it in. */
  readonly origins: Readonly<Partial<Record<TargetName, string>>>;
  /** The place where to register; null if the provider is not recognized. */
  readonly console: string | null;
  readonly steps: readonly string[];
}

/** The findings that leave it open whether a sign-in works. */
const open: readonly Finding['code'][] = [
  'provider-unreachable',
  'token-answer-unclear',
  'redirect-uri-unclear',
  'response-rejected',
  'page-broken',
  'token-endpoint-broken',
  'no-id-token',
  'not-checked',
];

/** The outlook of a target. */
export function toOutlook(target: TargetName, mode: Report['mode'], findings: readonly Finding[]): Outlook {
  const own = findings.filter(({ targets }) => targets === 'all' || targets.includes(target));
  if (own.some(({ severity }) => severity === 'error')) return 'cannot-work';
  const isOpen = own.some(({ severity, code }) => severity === 'warning' && open.includes(code));
  return mode === 'offline' || isOpen ? 'unknown' : 'works';
}

/** The worst of some outlooks. */
function worstOf(outlooks: readonly Outlook[]): Outlook {
  if (outlooks.includes('cannot-work')) return 'cannot-work';
  return outlooks.includes('unknown') ? 'unknown' : 'works';
}

/** Joins the reports of all providers. */
export function toReport(config: string, mode: Report['mode'], providers: readonly ProviderReport[]): Report {
  const outlook = worstOf(providers.flatMap((provider) => Object.values(provider.outlook)));
  return { version: 1, config, mode, outlook, providers };
}
