// Says in words what a profile means for a sign-in. The doctor, `add-provider` and the pages take their words from here, so
// that none contradicts the profile or another.

import { defaultScope } from '../src/config/schema.ts';
import type { Ask, Limit, PresetProfile, Profile } from '../src/providers/profile.ts';
import { toRedemption, type Redemption } from './token-origins.ts';

/** A sign-in with a profile, in words. */
export interface Outline {
  /** How a person signs in; null if no configuration can use the profile. */
  readonly flow: string | null;
  /** The scope of the request, with "<…>" in place of what only the team knows; null as for the flow. */
  readonly scope: string | null;
  readonly redemption: Redemption;
  /** What does not work, or is weaker than elsewhere, in sentences. */
  readonly limits: readonly string[];
  /** The same in a few words, without the limits that have none. */
  readonly notes: readonly string[];
}

/** Describes a sign-in with this profile. */
export function toOutline(profile: Profile): Outline {
  const flow = profile.use === 'preset' ? toFlow(profile.settings) : null;
  const names = flow === usualFlow ? shortly : { ...shortly, ...shortlyElsewhere };
  return {
    flow,
    scope: profile.use === 'preset' ? toScope(profile) : null,
    redemption: toRedemption(profile),
    limits: profile.limits.map(({ text }) => text),
    notes: [...new Set(profile.limits.map(({ kind }) => names[kind]).filter((note) => note !== null))],
  };
}

function toScope({ settings, asks }: PresetProfile): string {
  const ask = asks.find(({ setting }) => setting === 'scope');
  const scope = settings.scope ?? (ask === undefined ? defaultScope : String(toExample(ask)));
  return settings.responseType === 'id_token' ? scope.replace(/ ?\boffline_access\b/, '') : scope;
}

/** The flow that needs no setting. */
export const usualFlow = 'code and PKCE';

/** How a person signs in with these settings. */
export function toFlow(settings: Readonly<Record<string, unknown>>): string {
  if (settings['deviceFlow'] === 'only') return 'device flow';
  if (settings['responseType'] === 'id_token') return 'ID token alone';
  return hasUserApi(settings) ? `${usualFlow}, user API` : usualFlow;
}

function hasUserApi({ userApi }: Readonly<Record<string, unknown>>): boolean {
  return userApi !== undefined && userApi !== null;
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
  'secret-wanted': 'wants a secret',
  'no-id-token': 'ID tokens need a setting',
  'no-refresh-token': 'refresh tokens need a setting',
  'refresh-token-ends': 'refresh tokens end early',
  'loopback-redirect': 'a client of its own for Firefox',
  'no-revocation': 'no revocation',
  'no-logout': 'no logout page',
  'origin-checked': 'the origin must be registered',
  'scope-refused': 'other scopes',
  'verified-email-missing': 'no verified e-mail',
  other: null,
};

/** The same for a provider with another flow, which makes up for what the provider lacks. */
const shortlyElsewhere: Partial<typeof shortly> = {
  'secret-wanted': null,
  'no-id-token': 'no ID tokens',
  'no-refresh-token': 'no refresh tokens',
};
