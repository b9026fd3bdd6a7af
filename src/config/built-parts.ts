// The parts of the extension that most configurations do not need. A build contains those that its configuration does.

import type { Config, Provider } from './provider.ts';

/** Whether a provider needs each part. The names are those of the constants in `latchkey:config`. */
const needs = {
  usesIdTokenResponse: ({ responseType }: Provider) => responseType === 'id_token',
  usesLoopbackRedirect: ({ firefoxRedirect }: Provider) => firefoxRedirect === 'loopback',
  usesDeviceFlow: ({ deviceFlow }: Provider) => deviceFlow !== 'off',
  usesUserApi: ({ userApi }: Provider) => userApi !== null,
};

/** The settings that need each part. */
const settings: Readonly<Record<keyof typeof needs, keyof Provider>> = {
  usesIdTokenResponse: 'responseType',
  usesLoopbackRedirect: 'firefoxRedirect',
  usesDeviceFlow: 'deviceFlow',
  usesUserApi: 'userApi',
};

type Part = keyof typeof needs;

const parts = Object.keys(needs) as Part[];

/** Whether the build has each part. A policy may set any provider on `policyOrigins`, so with those it has all of them. */
export function toBuiltParts({
  providers,
  policyOrigins,
}: Pick<Config, 'providers' | 'policyOrigins'>): Readonly<Record<Part, boolean>> {
  const has = (part: Part) => policyOrigins.length > 0 || providers.some(needs[part]);
  return Object.fromEntries(parts.map((part) => [part, has(part)])) as Record<Part, boolean>;
}

/** The settings of a provider that need a part which the build of `built` does not have. */
export function findAbsentSettings(
  provider: Provider,
  built: Pick<Config, 'providers' | 'policyOrigins'>,
): readonly (keyof Provider)[] {
  const has = toBuiltParts(built);
  return parts.filter((part) => needs[part](provider) && !has[part]).map((part) => settings[part]);
}
