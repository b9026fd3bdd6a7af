// Recognizes a provider by its issuer, and says what is wrong with an issuer.

import type { Provider } from '../../src/config/provider.ts';
import type { Profile } from '../../src/providers/profile.ts';
import type { NamedProfile } from '../build/profiles.ts';

/**
 * Recognizes a provider: by `profileName`, which the configuration may state, or else by its issuer. An issuer that several
 * profiles match belongs to the first that does not call it a mistake. Returns null for an unknown provider.
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

/** `of-another`: it belongs to another provider. `mistaken`: a mistake that people make. `not-allowed`: there is one other. */
export type IssuerFault =
  | { readonly kind: 'of-another'; readonly other: NamedProfile }
  | { readonly kind: 'mistaken'; readonly advice: string }
  | { readonly kind: 'not-allowed'; readonly allowed: string };

/** Returns null if nothing is known to be wrong with this issuer of a provider with this profile. */
export function findIssuerFault(
  issuer: string,
  profile: Profile,
  profiles: readonly NamedProfile[],
): IssuerFault | null {
  const preset = profile.use === 'preset' ? profile.settings.issuer : undefined;
  const isOwn = issuer === preset || hasPattern(profile, issuer);
  const other = isOwn ? null : recognize({ issuer }, null, profiles);
  if (other !== null) return { kind: 'of-another', other };
  const advice = findAdvice(profile, issuer);
  if (advice !== null) return { kind: 'mistaken', advice };
  if (preset === undefined || preset === issuer || profile.issuers.isDefault === true) return null;
  return { kind: 'not-allowed', allowed: preset };
}
