// The parts of the extension that most configurations don't need. A build only contains those that its configuration needs.

import type { Config, Provider } from './provider.ts';

/** By part: the setting that it's for, and the value with which a provider doesn't need it. The names are those of src/parts. */
const needs = {
  'id-token': ['responseType', 'code'],
  loopback: ['firefoxRedirect', 'extensions.allizom.org'],
  device: ['deviceFlow', 'off'],
  oauth: ['userApi', null],
  apis: ['apis', []],
} as const;

type ProviderPart = keyof typeof needs;

const providerParts = Object.keys(needs) as ProviderPart[];

type Built = Pick<Config, 'providers' | 'policyOrigins'>;

function isNeeded(provider: Provider, part: ProviderPart): boolean {
  const [setting, without] = needs[part];
  return JSON.stringify(provider[setting]) !== JSON.stringify(without);
}

/** The parts for providers. A policy may set any provider on `policyOrigins`, so a build with those has all of them. */
function findProviderParts({ providers, policyOrigins }: Built): readonly ProviderPart[] {
  return providerParts.filter(
    (part) => policyOrigins.length > 0 || providers.some((provider) => isNeeded(provider, part)),
  );
}

/** The parts that a build has. */
export function findParts(built: Built & Pick<Config, 'policies'>): readonly (ProviderPart | 'policy')[] {
  return [...findProviderParts(built), ...(built.policies ? (['policy'] as const) : [])];
}

/** The settings of a provider that need a part which the build of `built` doesn't have. */
export function findAbsentSettings(provider: Provider, built: Built): readonly (keyof Provider)[] {
  const own = findProviderParts(built);
  return providerParts
    .filter((part) => isNeeded(provider, part) && !own.includes(part))
    .map((part) => needs[part][0]);
}
