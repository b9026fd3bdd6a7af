// The step at which the settings of profiles enter a configuration. Only the build has profiles; a reader in the
// extension refuses a provider that names one.

import type { Mistake } from './config-error.ts';
import { isObject } from './value-schema.ts';

/** A configuration whose providers have the settings of their profiles. */
export interface Applied {
  /** The configuration, not yet validated. */
  readonly json: unknown;
  /** Names that are unknown or refused, and settings that a profile asks the team for. */
  readonly mistakes: readonly Mistake[];
  /** Names the profile that a mistake comes from, if the configuration itself does not have the value. */
  explain(mistake: Mistake): Mistake;
}

/** Lays the settings of each provider over those of its profile. Never throws. */
export type ApplyProfiles = (json: unknown) => Applied;

/** For a reader without profiles. */
export const refuseProfiles: ApplyProfiles = (json) => {
  const providers: unknown = isObject(json) ? json['providers'] : [];
  const mistakes = (Array.isArray(providers) ? providers : []).flatMap((provider: unknown, index) =>
    profileOf(provider) === null
      ? []
      : {
          path: ['providers', index, 'profile'],
          text: 'refused: profiles are applied when the extension is built; write the settings here',
        },
  );
  return { json, mistakes, explain: (mistake) => mistake };
};

/** The name of a provider's profile; null if it has none, or something that is not a text. */
export function profileOf(provider: unknown): string | null {
  const name = isObject(provider) && Object.hasOwn(provider, 'profile') ? provider['profile'] : null;
  return typeof name === 'string' ? name : null;
}
