// The facts about a provider that need no request: its settings, and the profile by which it is recognized.

import type { Limit, Profile, Settings } from '../../src/providers/profile.ts';
import { toProviderOrigins } from '../../src/config/origins.ts';
import type { Provider } from '../../src/config/provider.ts';
import { toOutline } from '../profile-outline.ts';
import { findAll, row, type Finding, type Row } from './finding.ts';
import { findIssuerFault, type IssuerFault, type KnownProviders, type Recognized } from './recognize.ts';

/** The origins that the configuration or the provider's profile names. */
export function toNamedOrigins(provider: Provider, recognized: Recognized | null): readonly string[] {
  const { origins = [], metadata } = recognized === null ? {} : toSettings(recognized.known);
  const endpoints = Object.values({ ...metadata, ...provider.metadata }).filter(
    (value) => typeof value === 'string',
  );
  return [...toProviderOrigins(provider), ...origins, ...endpoints.map((url) => new URL(url).origin)];
}

function toSettings(known: Profile): Settings {
  return known.use === 'preset' ? known.settings : {};
}

/** A part of a sign-in that the doctor can check. */
export type Part = 'id-token' | 'code' | 'window';

interface FlowSettings extends Pick<Provider, 'responseType' | 'deviceFlow' | 'metadata'> {
  readonly userApi: object | null;
}

/** The parts that a sign-in with this provider has. */
export function toParts({ responseType, userApi, deviceFlow }: FlowSettings): readonly Part[] {
  const opensWindow = deviceFlow !== 'only';
  return [
    ...(userApi === null ? (['id-token'] as const) : []),
    ...(responseType === 'code' && opensWindow ? (['code'] as const) : []),
    ...(opensWindow ? (['window'] as const) : []),
  ];
}

/**
 * Whether the settings choose another way than the code flow at the provider itself: another flow, or a token endpoint of
 * the team's own, such as a relay. Such a way can work at a provider with which the code flow cannot.
 */
export function isDetour(provider: FlowSettings): boolean {
  const { deviceFlow, metadata } = provider;
  return deviceFlow !== 'off' || metadata?.token_endpoint !== undefined || toParts(provider).length < 3;
}

/** The settings of a provider that was recognized, beside what is known of it. */
interface Evidence extends Recognized {
  readonly provider: Provider;
  /** The settings of the profile; empty if the provider cannot work. */
  readonly preset: Settings;
  readonly issuerFault: IssuerFault | null;
  /** The kinds of the profile's limits. */
  readonly limits: readonly Limit['kind'][];
  /** Scopes beyond the profile's. */
  readonly furtherScopes: readonly string[];
  /** Settings of the profile, as one writes them, that the configuration neither has nor takes from it. */
  readonly missing: readonly string[];
  /** Whether the provider has accepted the request. */
  readonly request: 'accepted' | 'not-known';
}

const loopbackRow = row.warning<Provider>(
  'loopback-redirect',
  ({ firefoxRedirect }) => firefoxRedirect === 'loopback',
  'In any browser, a page and a program on the same computer can together get tokens of this client for anyone who is signed in at the ' +
    'provider: a redirect to http://127.0.0.1 goes to whichever program listens there.',
  'Build for Firefox with a configuration of its own, whose "clientId" has this redirect URI, and register it for no other client.',
);

const rows: readonly Row<Evidence>[] = [
  row.error(
    'provider-refused',
    ({ known, provider }) => known.use === 'refused' && !isDetour(provider),
    ({ known }) => toRefusal(known),
  ),
  row.note(
    'limit',
    ({ known, provider }) => known.use === 'refused' && isDetour(provider),
    ({ known }) => toRefusal(known),
  ),
  row.error(
    'issuer-mistake',
    ({ known, issuerFault }) => known.use === 'preset' && issuerFault !== null,
    ({ provider, known }) => `${JSON.stringify(provider.issuer)} is not an issuer of ${known.title}.`,
    ({ issuerFault }) => (issuerFault === null ? '' : toIssuerRemedy(issuerFault)),
  ),
  row.error(
    'issuer-template',
    // With endpoints of its own the issuer is still compared with that of the ID token.
    ({ provider: { issuerTemplate, metadata }, preset, issuerFault }) =>
      typeof preset.issuerTemplate === 'string' &&
      issuerTemplate === null &&
      metadata?.token_endpoint === undefined &&
      issuerFault === null,
    ({ provider }) =>
      `${JSON.stringify(provider.issuer)} is not one issuer: it stands for many tenants, and each has its own.`,
    ({ name }) =>
      `For the people of one tenant, put its id into "issuer". For those of every tenant, use the profile ${JSON.stringify(name)}.`,
  ),
  row.error(
    'email-unverified',
    ({ known, provider, limits }) =>
      known.use === 'preset' &&
      provider.allowed['email'] !== undefined &&
      limits.includes('verified-email-missing'),
    ({ known }) =>
      `"allowed" asks for "email", and ${known.title} does not say which addresses are verified, so no one could sign in.`,
    'Use another claim in "allowed".',
  ),
  row.warning(
    'refresh-token-seconds',
    ({ provider, preset }) =>
      typeof preset.refreshTokenSeconds === 'number' &&
      provider.refreshTokenSeconds === null &&
      provider.scope.split(' ').includes('offline_access'),
    ({ known, preset }) =>
      `Refresh tokens of ${known.title} end ${preset.refreshTokenSeconds} seconds after the sign-in, and the configuration does not say so: sessions end there.`,
    ({ preset }) =>
      `Add "refreshTokenSeconds": ${preset.refreshTokenSeconds}, so that Latchkey signs in silently before that.`,
  ),
  row.warning(
    'scope',
    ({ limits, furtherScopes, request }) =>
      limits.includes('scope-refused') && furtherScopes.length > 0 && request === 'not-known',
    ({ known, furtherScopes }) =>
      `${known.title} may refuse the scope ${furtherScopes.map((name) => JSON.stringify(name)).join(', ')}.`,
    ({ preset }) => `The scope with which it works is ${JSON.stringify(preset.scope)}.`,
  ),
  row.warning(
    'profile-settings',
    ({ missing }) => missing.length > 0,
    ({ known, missing }) =>
      `${known.title} is known to need settings that the configuration does not have: ${missing.join(', ')}.`,
    ({ name }) => `Add "profile": ${JSON.stringify(name)} or these settings.`,
  ),
];

function toIssuerRemedy(fault: IssuerFault): string {
  if (fault.kind === 'mistaken') return fault.advice;
  if (fault.kind === 'not-allowed') return `The profile allows only ${JSON.stringify(fault.allowed)}.`;
  const { name, known } = fault.other;
  return `That is an issuer of ${known.title}: use "profile": ${JSON.stringify(name)}.`;
}

function toRefusal(known: Profile): string {
  return known.use === 'refused' ? known.refusal : '';
}

const limitRow = row.note<string>(
  'limit',
  () => true,
  (text) => text,
);

/**
 * Finds what is wrong or worth knowing about a provider's settings. `profileName` is the profile that the configuration
 * names, or null. `request` says whether the provider has accepted the request; `providers` are all that are known.
 */
export function examineConfiguration(
  provider: Provider,
  recognized: Recognized | null,
  profileName: string | null,
  request: Evidence['request'],
  providers: KnownProviders,
): readonly Finding[] {
  const loopback = findAll([loopbackRow], provider);
  if (recognized === null) return loopback;
  const { known } = recognized;
  const preset = toSettings(known);
  const withinScope = preset.scope?.split(' ') ?? provider.scope.split(' ');
  const evidence = {
    ...recognized,
    provider,
    preset,
    request,
    issuerFault: findIssuerFault(provider.issuer, recognized, providers),
    limits: known.limits.map(({ kind }) => kind),
    furtherScopes: provider.scope.split(' ').filter((name) => !withinScope.includes(name)),
    missing: profileName === null ? findMissing(provider, preset) : [],
  };
  return [
    ...loopback,
    ...findAll(rows, evidence),
    ...toOutline(known).limits.flatMap((text) => findAll([limitRow], text)),
  ];
}

/** Settings of the profile with rows of their own, or that discovery explains better. */
const explained: readonly string[] = ['issuer', 'issuerTemplate', 'refreshTokenSeconds', 'scope', 'origins'];

function findMissing(provider: Provider, preset: Settings): readonly string[] {
  return Object.entries(preset)
    .filter(
      ([name, value]) => !explained.includes(name) && !hasValue(provider[name as keyof Provider], value),
    )
    .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
}

/** Whether a setting is a preset one. Of an object, each member that is preset. */
function hasValue(value: unknown, preset: unknown): boolean {
  if (typeof preset !== 'object' || preset === null || Array.isArray(preset)) {
    return JSON.stringify(value) === JSON.stringify(preset);
  }
  const members = (value ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(preset).every(([name, member]) => hasValue(members[name], member));
}
