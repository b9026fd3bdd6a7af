// Recognizes a provider by its issuer, and says what is wrong with an issuer.

import type { Provider } from '../../src/config/provider.ts';
import type { Profile } from '../../src/providers/profile.ts';

/** Known providers, by the names of their profiles. */
export type KnownProviders = Readonly<Record<string, Profile>>;

/** A provider that was recognized, and the name of its profile. */
export interface Recognized {
  readonly name: string;
  readonly known: Profile;
}

/**
 * Recognizes a provider: by `profileName`, which the configuration may state, or else by its issuer. An issuer that several
 * profiles match belongs to the first that does not call it a mistake. Returns null for an unknown provider.
 */
export function recognize(
  { issuer }: Pick<Provider, 'issuer'>,
  profileName: string | null,
  providers: KnownProviders,
): Recognized | null {
  if (profileName !== null && Object.hasOwn(providers, profileName)) {
    const known = providers[profileName];
    if (known !== undefined) return { name: profileName, known };
  }
  const matching = Object.entries(providers)
    .filter(([, { issuers }]) => issuers.patterns.some((pattern) => pattern.test(issuer)))
    .map(([name, known]) => ({ name, known }));
  return matching.find(({ known }) => findAdvice(known, issuer) === null) ?? matching[0] ?? null;
}

/** The right issuer in place of a mistaken one; null if it isn't known. */
function findAdvice({ issuers }: Profile, issuer: string): string | null {
  return issuers.mistakes.find(({ pattern }) => pattern.test(issuer))?.advice ?? null;
}

/** `of-another`: it belongs to another provider. `mistaken`: a mistake that people make. `not-allowed`: there is one other. */
export type IssuerFault =
  | { readonly kind: 'of-another'; readonly other: Recognized }
  | { readonly kind: 'mistaken'; readonly advice: string }
  | { readonly kind: 'not-allowed'; readonly allowed: string };

/** Returns null if nothing is known to be wrong with this issuer of this provider. */
export function findIssuerFault(
  issuer: string,
  { known }: Recognized,
  providers: KnownProviders,
): IssuerFault | null {
  const preset = known.use === 'preset' ? known.settings.issuer : undefined;
  const { patterns, isDefault } = known.issuers;
  const isOwn = issuer === preset || patterns.some((pattern) => pattern.test(issuer));
  const other = isOwn ? null : recognize({ issuer }, null, providers);
  if (other !== null) return { kind: 'of-another', other };
  const advice = findAdvice(known, issuer);
  if (advice !== null) return { kind: 'mistaken', advice };
  if (preset === undefined || preset === issuer || isDefault === true) return null;
  return { kind: 'not-allowed', allowed: preset };
}
