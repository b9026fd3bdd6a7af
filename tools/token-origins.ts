// Says in which browsers a code can be redeemed, by what a profile knows of the token endpoint. The doctor and the
// documents use the same words.

import type { Profile } from '../src/providers/profile.ts';

/** The browsers in which a code can be redeemed. */
export interface Redemption {
  /** For a table. */
  readonly short: string;
  /** One or two sentences. */
  readonly text: string;
}

const listed = 'Chrome and Edge can redeem a code if you register the origin of the extension';
const random = "Firefox's origin is random in each installation";
const refused: Redemption = {
  short: 'none',
  text: 'No browser can redeem a code at the provider itself: its profile is refused.',
};
const noCode: Redemption = {
  short: 'no code',
  text: 'No browser redeems a code: the ID token comes with the redirect, so the provider sees no origin.',
};

const byOrigins: Readonly<Record<NonNullable<Profile['registration']['origins']> | 'unknown', Redemption>> = {
  any: {
    short: 'all',
    text: 'Chrome, Edge and Firefox can redeem a code: the token endpoint takes any origin.',
  },
  'listed-or-any': {
    short: 'Chrome, Edge; Firefox if any origin is allowed',
    text: `${listed}. Firefox can only if the provider allows any origin for the client, because ${random}.`,
  },
  listed: {
    short: 'Chrome, Edge; not Firefox, whose origin is random',
    text: `${listed}. Firefox cannot: the provider wants exact origins, and ${random}.`,
  },
  unknown: {
    short: 'not known',
    text: 'It is not known which origins the token endpoint takes, and so whether Chrome, Edge and Firefox can redeem a code.',
  },
};

/** In which browsers a code can be redeemed at a provider with this profile. */
export function toRedemption(profile: Profile): Redemption {
  if (profile.use === 'refused') return refused;
  if (profile.settings.responseType === 'id_token') return noCode;
  return byOrigins[profile.registration.origins ?? 'unknown'];
}
