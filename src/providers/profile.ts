// The form of a provider profile: what Latchkey knows about one provider, as data. A profile `acme` is the default export
// of the file `acme.ts` in this folder, and `"profile": "acme"` in the configuration uses it. The build lays the
// provider's own settings over those of the profile. Only the resulting settings become part of the extension.

import type { LogoutParameters, Provider } from '../config/provider.ts';

/** A provider whose settings are known, or one where no configuration can sign anyone in. */
export type Profile = PresetProfile | RefusedProfile;

/** A profile that a configuration can use. */
export interface PresetProfile extends Knowledge {
  readonly use: 'preset';
  /** Settings that apply where the provider in the configuration has none of its own. */
  readonly settings: Settings;
  /** Additional settings that the configuration must have, because they differ from team to team. */
  readonly asks: readonly Ask[];
  /** Missing if it isn't known whether an API can have a token of its own. */
  readonly apis?: ApiTokens;
  /** Missing if it isn't known whether an API can ask for another authentication. */
  readonly stepUp?: StepUpSupport;
}

/** A profile of a provider that can't work. A configuration that names it is refused. */
export interface RefusedProfile extends Knowledge {
  readonly use: 'refused';
  /** Why it can't work, and the alternative. One or two sentences. */
  readonly refusal: string;
}

/** The settings of a provider that a profile may preset. The others identify the team's client. */
export type Settings = Partial<Omit<Provider, 'id' | 'name' | 'clientId' | 'logoutParameters'>> & {
  readonly logoutParameters?: Partial<LogoutParameters>;
};

/** A setting that only the team knows. */
export interface Ask {
  readonly setting: keyof Settings;
  /** Completes "expected …", with an example. */
  readonly expected: string;
}

/** How an API of "apis" gets a token of its own, for which the extension sends the refresh token. */
export interface ApiTokens {
  /** The key with which an API says what its token is for. `none`: all tokens are for what the sign-in asked for. */
  readonly by: 'scope' | 'resource' | 'audience' | 'none';
  /** A key that an API must not have in addition. */
  readonly without?: 'scope';
  /** The value to write there, the settings to switch on at the provider, or the alternative. A few sentences. */
  readonly text: string;
}

/** How an API can ask for another authentication (RFC 9470), which the ID token has to prove. */
export interface StepUpSupport {
  /** The demands that an API may make; empty if nothing is known to work. */
  readonly by: readonly ('acr_values' | 'max_age')[];
  /** The values to ask for, the settings to switch on, and the limits. A few sentences. */
  readonly text: string;
}

/** Information about a provider, for the doctor and for the provider's page in the documents. */
interface Knowledge {
  /** The provider's name, as its documents write it. */
  readonly title: string;
  readonly issuers: Issuers;
  readonly registration: Registration;
  /** Things that don't work, or are weaker than elsewhere. */
  readonly limits: readonly Limit[];
  /** The day or month in which most of the facts were read, tried or remembered: `2026-11-22` or `2026-11`. */
  readonly read: string;
  /** Where the above comes from. */
  readonly facts: readonly Fact[];
}

/** How to recognize a provider by its issuer. */
export interface Issuers {
  /** A correct issuer, with "<…>" in place of what differs from team to team. */
  readonly example: string;
  /** Each matches issuers of this provider, correct or mistaken. Empty if it may be on any host. */
  readonly patterns: readonly RegExp[];
  /** Values that people often write in place of the issuer. */
  readonly mistakes: readonly IssuerMistake[];
  /** Whether the issuer in the settings is only the usual one, because teams host instances of their own. */
  readonly isDefault?: true;
}

/** A mistaken issuer. */
export interface IssuerMistake {
  /** Matches the mistaken issuer, and no correct one. */
  readonly pattern: RegExp;
  /** The value to write instead, as a sentence. */
  readonly advice: string;
}

/** The settings to register at the provider. */
export interface Registration {
  /** The name of the place, such as "Microsoft Entra admin center". */
  readonly console: string;
  /**
   * The steps there, in order, one sentence each. Placeholders: `{redirectUri:chrome}`, `{redirectUri:firefox}`,
   * `{origin:chrome}` and `{scopes}`, a list in words. There is none for the origin in Firefox, which is random in each
   * installation.
   */
  readonly steps: readonly string[];
  /**
   * The origins that the token endpoint takes. `listed`: those of a list without wildcards; `listed-or-any`: the list can
   * also allow every origin. Missing if that isn't known.
   */
  readonly origins?: 'any' | 'listed' | 'listed-or-any';
}

/** Something that doesn't work, or is weaker than elsewhere. */
export interface Limit {
  readonly kind:
    | 'secret-wanted'
    | 'no-id-token'
    | 'no-refresh-token'
    | 'refresh-token-ends'
    | 'no-revocation'
    | 'no-logout'
    | 'origin-checked'
    | 'scope-refused'
    | 'verified-email-missing'
    | 'loopback-redirect'
    | 'other';
  /** One or two sentences. */
  readonly text: string;
}

/** One fact and where it comes from. */
export interface Fact {
  readonly text: string;
  /** The URL of the page that says so, or that describes the attempt. Missing for a fact from memory. */
  readonly source?: string;
  /** Missing for a page of the provider's documents, which include its source, its issue tracker and its discovery document. */
  readonly how?: 'read in another project' | 'tried';
  /** Missing if it's that of most facts. */
  readonly date?: string;
}
