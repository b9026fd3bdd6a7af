// Says in words what a profile means for a sign-in. The doctor, `add-provider` and the pages take their words from here, so they
// contradict neither the profile nor each other.

import { defaultScope } from '../src/config/schema.ts';
import type { Ask, Fact, Limit, PresetProfile, Profile } from '../src/providers/profile.ts';

/** The browsers in which a code can be redeemed, by what a profile says about the token endpoint. */
interface Redemption {
  readonly short: string;
  readonly text: string;
}

/**
 * Describes a sign-in with this profile. `flow` and `scope` are null if no configuration can use it; the scope has "<…>" in place of
 * what only the team knows. `notes` are the features that don't work, or are weaker than elsewhere, in a few words.
 */
export function toOutline(profile: Profile) {
  const flow = profile.use === 'preset' ? toFlow(profile.settings) : null;
  const names = flow === usualFlow ? shortly : { ...shortly, ...shortlyElsewhere };
  return {
    flow,
    scope: profile.use === 'preset' ? toScope(profile) : null,
    redemption: toRedemption(profile),
    notes: [...new Set(profile.limits.map(({ kind }) => names[kind]).filter((note) => note !== null))],
  };
}

/** A fact with its date, and the kind of its source in words. */
export type DatedFact = Omit<Fact, 'how'> & { readonly how: string; readonly date: string };

/** The facts of a profile, each with what its profile says of most. */
export function toFacts({ facts, read }: Pick<Profile, 'facts' | 'read'>): readonly DatedFact[] {
  return facts.map(({ source, how = "read in the provider's documents", date = read, text }) =>
    source === undefined ? { how: 'from memory', text, date } : { how, text, source, date },
  );
}

function toScope({ settings, asks }: PresetProfile): string {
  const ask = asks.find(({ setting }) => setting === 'scope');
  const scope = settings.scope ?? (ask === undefined ? defaultScope : String(toExample(ask)));
  return settings.responseType === 'id_token' ? scope.replace(/ ?\boffline_access\b/, '') : scope;
}

/** The flow that needs no setting. */
export const usualFlow = 'code and PKCE';

/** How a user signs in with these settings. */
export function toFlow(settings: Readonly<Record<string, unknown>>): string {
  if (settings['deviceFlow'] === 'only') return 'device flow';
  if (settings['responseType'] === 'id_token') return 'ID token alone';
  return settings['userApi'] ? `${usualFlow}, user API` : usualFlow;
}

/** A provider for the configuration, with "<…>" in place of what only the team knows. */
export function toExampleProvider(name: string, { asks, title }: PresetProfile) {
  const own = Object.fromEntries(asks.map((ask) => [ask.setting, toExample(ask)]));
  const [shortName = ''] = title.split(',');
  return { id: name, name: shortName, profile: name, ...own, clientId: '<client id>' };
}

/** The first value in quotes or brackets of what is expected. */
export function toExample({ expected }: Ask): unknown {
  const [value = '""'] = /\[".*?"\]|"[^"]*"/.exec(expected) ?? [];
  return JSON.parse(value) as unknown;
}

const shortly: Readonly<Record<Limit['kind'], string | null>> = {
  'secret-wanted': 'requires a secret',
  'no-id-token': 'ID tokens need a setting',
  'no-refresh-token': 'refresh tokens need a setting',
  'refresh-token-ends': 'refresh tokens expire early',
  'loopback-redirect': 'a separate client for Firefox',
  'no-revocation': 'no revocation',
  'no-logout': 'no logout page',
  'origin-checked': 'the origin must be registered',
  'scope-refused': 'different scopes',
  'verified-email-missing': 'no verified email',
  other: null,
};

/** The same for a provider with a different flow, which makes up for a feature that the provider lacks. */
const shortlyElsewhere: Partial<typeof shortly> = {
  'secret-wanted': null,
  'no-id-token': 'no ID tokens',
  'no-refresh-token': 'no refresh tokens',
};

const listed = "Chrome and Edge can redeem a code if you register the extension's origin";
const random = "Firefox's origin is different in every installation";
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
    text: 'Chrome, Edge and Firefox can redeem a code: the token endpoint accepts any origin.',
  },
  'listed-or-any': {
    short: 'Chrome, Edge; Firefox with any origin',
    text: `${listed}. Firefox can only if the provider allows any origin for the client, because ${random}.`,
  },
  listed: {
    short: 'Chrome, Edge; not Firefox',
    text: `${listed}. Firefox can't: the provider requires exact origins, and ${random}.`,
  },
  unknown: {
    short: 'not known',
    text: "We don't know which origins the token endpoint accepts, so a browser may be unable to redeem a code. `npm run doctor` finds out.",
  },
};

function toRedemption(profile: Profile): Redemption {
  if (profile.use === 'refused') return refused;
  if (profile.settings.responseType === 'id_token') return noCode;
  return byOrigins[profile.registration.origins ?? 'unknown'];
}
