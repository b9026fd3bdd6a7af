// The doctor's report, as `--json` prints it. docs/doctor.md explains its members.

import type { Provider } from '../../src/config/provider.ts';
import type { Profile } from '../../src/providers/profile.ts';
import { fillStep, type Target, type TargetName } from '../redirect-uris.ts';
import { holdsIn, type Finding } from './finding.ts';
import { toOutline, type DatedFact } from '../profile-outline.ts';
import { isBroken, type PolicyReport } from './policy.ts';

/** The outlooks of a sign-in, the best first. `works`: nothing that can be checked without a user speaks against it. */
const outlooks = ['works', 'unknown', 'cannot-work'] as const;

export type Outlook = (typeof outlooks)[number];

export interface Report {
  readonly version: 1;
  readonly config: string;
  readonly mode: 'online' | 'offline';
  readonly outlook: Outlook;
  readonly notes: readonly string[];
  readonly providers: readonly ProviderReport[];
  readonly policy?: PolicyReport;
}

type ByTarget<Value> = Readonly<Partial<Record<TargetName, Value>>>;

export interface ProviderReport extends Pick<Provider, 'id' | 'name' | 'issuer'> {
  readonly profile: {
    readonly name: string;
    readonly title: string;
    readonly facts: readonly DatedFact[];
  } | null;
  readonly outlook: ByTarget<Outlook>;
  readonly findings: readonly Finding[];
  readonly register: {
    readonly redirectUris: ByTarget<string>;
    /** Firefox's is random, so only `*` lets it in. Empty if the provider gets no request that has one. */
    readonly origins: ByTarget<string>;
    readonly console: string | null;
    readonly steps: readonly string[];
    readonly redemption: string | null;
  };
}

/** The registration for these targets and this scope, with the steps of a profile. */
export function toRegister(
  targets: readonly Target[],
  scope: string | null,
  profile: Profile | null,
): ProviderReport['register'] {
  const each = (toValue: (target: Target) => string): ByTarget<string> =>
    Object.fromEntries(targets.map((target) => [target.name, toValue(target)]));
  const redirectUris = each(({ redirectUri }) => redirectUri);
  const origins = each(({ name, origin }) => (name === 'firefox' ? '*' : origin));
  const registered = {
    redirectUris: {
      chrome: redirectUris.chrome ?? 'the redirect URI of Chrome',
      firefox: redirectUris.firefox ?? 'the redirect URI of Firefox',
    },
    origin: origins.chrome ?? 'the origin of the extension in Chrome',
    scope,
  };
  return {
    redirectUris,
    // The ID token comes with the redirect.
    origins: profile?.use === 'refused' || profile?.settings.responseType !== 'id_token' ? origins : {},
    console: profile?.registration.console ?? null,
    steps: profile?.registration.steps.map((step) => fillStep(step, registered)) ?? [],
    redemption: profile && toOutline(profile).redemption.text,
  };
}

/** The findings that make it uncertain whether a sign-in works. */
const open: readonly Finding['code'][] = [
  'provider-refused',
  'provider-unreachable',
  'token-answer-unclear',
  'redirect-uri-unclear',
  'request-refused',
  'response-rejected',
  'page-broken',
  'page-hidden',
  'token-endpoint-broken',
  'no-id-token',
  'keys-unusable',
  'not-checked',
];

/** The outlook of a target. */
export function toOutlook(target: TargetName, mode: Report['mode'], findings: readonly Finding[]): Outlook {
  const own = findings.filter((finding) => holdsIn(finding, target));
  if (own.some(({ severity }) => severity === 'error')) return 'cannot-work';
  const isOpen = own.some(({ severity, code }) => severity === 'warning' && open.includes(code));
  return mode === 'offline' || isOpen ? 'unknown' : 'works';
}

/** Joins the reports of all providers, and that of a policy, with notes on the configuration. */
export function toReport(
  config: string,
  mode: Report['mode'],
  providers: readonly ProviderReport[],
  policy?: PolicyReport,
  notes: readonly string[] = [],
): Report {
  const all = providers.flatMap((provider) => Object.values(provider.outlook));
  if (policy?.policies.some(isBroken)) all.push('cannot-work');
  const outlook = outlooks.findLast((one) => all.includes(one)) ?? 'works';
  return { version: 1, config, mode, outlook, notes, providers, ...(policy !== undefined && { policy }) };
}
