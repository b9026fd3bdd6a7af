// The facts about a provider that need no request: its profile, what is wrong with its issuer, its hosts, and the parts of its
// sign-in.

import { toProviderOrigins } from '../../src/config/manifest.ts';
import type { Provider } from '../../src/config/provider.ts';
import type { Profile, Settings } from '../../src/providers/profile.ts';
import type { NamedProfile } from '../build/profiles.ts';

/**
 * Recognizes a provider: by `profileName`, which the configuration may state, or else by its issuer. An issuer that several
 * profiles match belongs to the first that doesn't call it a mistake. Returns null for an unknown provider.
 */
export function recognize(
  { issuer }: Pick<Provider, 'issuer'>,
  profileName: string | null,
  profiles: readonly NamedProfile[],
): NamedProfile | null {
  const stated = profiles.find(({ name }) => name === profileName);
  if (stated !== undefined) return stated;
  const matching = profiles.filter(({ profile }) => hasPattern(profile, issuer));
  return matching.find(({ profile }) => findAdvice(profile, issuer) === null) ?? matching[0] ?? null;
}

function hasPattern({ issuers }: Profile, issuer: string): boolean {
  return issuers.patterns.some((pattern) => pattern.test(issuer));
}

/** The right issuer in place of a mistaken one; null if it isn't known. */
function findAdvice({ issuers }: Profile, issuer: string): string | null {
  return issuers.mistakes.find(({ pattern }) => pattern.test(issuer))?.advice ?? null;
}

/**
 * Says which issuer or profile is right, if this issuer is known not to be one of a provider with this profile. Returns null
 * otherwise, and for a sandbox or a national host of the provider, which its patterns match.
 */
export function findIssuerRemedy(
  issuer: string,
  profile: Profile,
  profiles: readonly NamedProfile[],
): string | null {
  const preset = profile.use === 'preset' ? profile.settings.issuer : undefined;
  const isOwn = issuer === preset || hasPattern(profile, issuer);
  const other = isOwn ? null : recognize({ issuer }, null, profiles);
  if (other !== null) return `That is an issuer of ${other.profile.title}: use the profile "${other.name}".`;
  const advice = findAdvice(profile, issuer);
  if (advice !== null) return advice;
  if (preset === undefined || isOwn || profile.issuers.isDefault === true) return null;
  return `The profile allows only "${preset}".`;
}

/** The settings that a profile presets: none if the provider isn't recognized, or can't work. */
export function toPreset(recognized: NamedProfile | null): Settings {
  return recognized?.profile.use === 'preset' ? recognized.profile.settings : {};
}

/** The origins that the configuration or the provider's profile names. */
export function toNamedOrigins(provider: Provider, recognized: NamedProfile | null): readonly string[] {
  const { origins = [], metadata } = toPreset(recognized);
  const endpoints = Object.values({ ...metadata, ...provider.metadata }).filter(
    (value) => typeof value === 'string',
  );
  return [...toProviderOrigins(provider), ...origins, ...endpoints.map((url) => new URL(url).origin)];
}

interface FlowSettings extends Pick<Provider, 'responseType' | 'deviceFlow' | 'metadata'> {
  readonly userApi: object | null;
}

/** The parts that a sign-in with this provider has. */
export function toParts({ responseType, userApi, deviceFlow }: FlowSettings) {
  const window = deviceFlow !== 'only';
  return { idToken: userApi === null, code: responseType === 'code' && window, window };
}

/**
 * Whether the settings replace the code flow at the provider itself: by another flow, or by a token endpoint of the
 * team's own, such as a relay. That can work at a provider where the code flow can't.
 */
export function isDetour(provider: FlowSettings): boolean {
  const { deviceFlow, metadata } = provider;
  const lacksPart = Object.values(toParts(provider)).includes(false);
  return deviceFlow !== 'off' || metadata?.token_endpoint !== undefined || lacksPart;
}
