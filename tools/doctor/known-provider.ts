// Recognizes a provider whose peculiarities are known, so that the doctor can print them.

import type { Provider } from '../../src/config/provider.ts';

/** The parts of a provider profile that the doctor uses. */
export interface KnownProvider {
  readonly use: 'preset' | 'refused';
  /** The provider's name, as its documents write it. */
  readonly title: string;
  /** Settings with which it works, by their names in the configuration; missing if it cannot work. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Why it cannot work, and the alternative; missing if it can. */
  readonly refusal?: string;
  readonly issuers: {
    /** Each matches issuers of this provider, correct or mistaken. */
    readonly patterns: readonly RegExp[];
    /** Each matches mistaken issuers alone. */
    readonly mistakes: readonly { readonly pattern: RegExp; readonly advice: string }[];
  };
  readonly registration: {
    /** The name of the place, such as "Microsoft Entra admin center". */
    readonly console: string;
    /** Sentences with the placeholders `{redirectUri:chrome}`, `{redirectUri:firefox}` and `{origin:chrome}`. */
    readonly steps: readonly string[];
  };
  readonly limits: readonly { readonly kind: string; readonly text: string }[];
  readonly facts: readonly Fact[];
}

/** One fact, how and when it was learned, and where it can be read. */
export interface Fact {
  readonly how: string;
  readonly text: string;
  readonly date: string;
  readonly source?: string;
}

/** Known providers, by the names of their profiles. */
export type KnownProviders = Readonly<Record<string, KnownProvider>>;

/** A provider that was recognized, and the name of its profile. */
export interface Recognized {
  readonly name: string;
  readonly known: KnownProvider;
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
  return matching.find(({ known }) => findMistake(known, issuer) === null) ?? matching[0] ?? null;
}

/** Returns what to write in place of a mistaken issuer; null if none is known. */
export function findMistake({ issuers }: KnownProvider, issuer: string): string | null {
  return issuers.mistakes.find(({ pattern }) => pattern.test(issuer))?.advice ?? null;
}
