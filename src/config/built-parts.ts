// The parts of the extension that most configurations do not need. A build only contains those that its configuration needs.

import type { Config, Provider } from './provider.ts';

/**
 * The setting that each part is for, and the value with which a provider does not need it. The names are those of the
 * constants in `latchkey:config`.
 */
const parts = {
  usesIdTokenResponse: ['responseType', 'code'],
  usesLoopbackRedirect: ['firefoxRedirect', 'extensions.allizom.org'],
  usesDeviceFlow: ['deviceFlow', 'off'],
  usesUserApi: ['userApi', null],
  usesApis: ['apis', []],
} as const;

type Part = keyof typeof parts;

const names = Object.keys(parts) as Part[];

function needs(provider: Provider, part: Part): boolean {
  const [setting, without] = parts[part];
  return JSON.stringify(provider[setting]) !== JSON.stringify(without);
}

/** Whether the build has each part. A policy may set any provider on `policyOrigins`, so with those it has all of them. */
export function toBuiltParts({
  providers,
  policyOrigins,
}: Pick<Config, 'providers' | 'policyOrigins'>): Readonly<Record<Part, boolean>> {
  const has = (part: Part) => policyOrigins.length > 0 || providers.some((provider) => needs(provider, part));
  return Object.fromEntries(names.map((part) => [part, has(part)])) as Record<Part, boolean>;
}

/** The settings of a provider that need a part which the build of `built` does not have. */
export function findAbsentSettings(
  provider: Provider,
  built: Pick<Config, 'providers' | 'policyOrigins'>,
): readonly (keyof Provider)[] {
  const has = toBuiltParts(built);
  return names.filter((part) => needs(provider, part) && !has[part]).map((part) => parts[part][0]);
}
