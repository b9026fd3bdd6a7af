// The doctor's report, as `--json` prints it.

import type { Fact, Profile } from '../../src/providers/profile.ts';
import { holdsIn, type Finding, type TargetName } from './finding.ts';
import { toOutline } from '../profile-outline.ts';
import { fillStep } from '../redirect-uris.ts';
import { isBroken, type PolicyReport } from './policy.ts';
import type { Target } from './targets.ts';

/** The outlook of a sign-in. `works`: nothing that can be checked without a person speaks against it. */
export type Outlook = 'works' | 'unknown' | 'cannot-work';

export interface Report {
  /** The version of this form. */
  readonly version: 1;
  /** The configuration's file. */
  readonly config: string;
  readonly mode: 'online' | 'offline';
  /** The worst outlook of all providers, and `cannot-work` with a mistake in the policy. */
  readonly outlook: Outlook;
  /** The providers of the configuration, or those that the policy leaves. */
  readonly providers: readonly ProviderReport[];
  /** The result of the policy that was asked about; missing without one. */
  readonly policy?: PolicyReport;
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
interface Register {
  readonly redirectUris: Readonly<Partial<Record<TargetName, string>>>;
  /** The origins to allow, where the provider has a list of them. Firefox's is random, so only `*` lets it in. */
  readonly origins: Readonly<Partial<Record<TargetName, string>>>;
  /** The place where to register; null if the provider is not recognized. */
  readonly console: string | null;
  readonly steps: readonly string[];
  /** In which browsers a code can be redeemed, in words; null if the provider is not recognized. */
  readonly redemption: string | null;
}

/** The registration for these targets and this scope, with the steps of a profile. */
export function toRegister(
  targets: readonly Target[],
  scope: string | null,
  profile: Profile | null,
): Register {
  const entries = (toValue: (target: Target) => string) =>
    Object.fromEntries(targets.map((target) => [target.name, toValue(target)]));
  const redirectUris: Register['redirectUris'] = entries(({ redirectUri }) => redirectUri);
  const origins: Register['origins'] = entries(({ name, origin }) => (name === 'firefox' ? '*' : origin));
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
    origins,
    console: profile?.registration.console ?? null,
    steps: profile?.registration.steps.map((step) => fillStep(step, registered)) ?? [],
    redemption: profile && toOutline(profile).redemption.text,
  };
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

/** The worst of some outlooks. */
function worstOf(outlooks: readonly Outlook[]): Outlook {
  if (outlooks.includes('cannot-work')) return 'cannot-work';
  return outlooks.includes('unknown') ? 'unknown' : 'works';
}

/** Joins the reports of all providers, and that of a policy. */
export function toReport(
  config: string,
  mode: Report['mode'],
  providers: readonly ProviderReport[],
  policy?: PolicyReport,
): Report {
  const outlooks = providers.flatMap((provider) => Object.values(provider.outlook));
  const isRefused = policy?.policies.some(isBroken) ?? false;
  const outlook = worstOf(isRefused ? [...outlooks, 'cannot-work'] : outlooks);
  return { version: 1, config, mode, outlook, providers, ...(policy !== undefined && { policy }) };
}
