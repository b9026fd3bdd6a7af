// Finds settings that contradict the response type of their provider.

import type { Mistake } from './config-error.ts';
import { describe } from './describe.ts';
import type { Provider } from './provider.ts';

type Settings = Pick<
  Provider,
  | 'responseType'
  | 'apiToken'
  | 'apiOrigins'
  | 'deviceFlow'
  | 'dpop'
  | 'refreshTokenSeconds'
  | 'trustedAudiences'
> & {
  readonly resource: string | null;
  readonly audience: string | null;
};

/** A setting, and why another value of it is expected. */
type Contradiction = readonly [key: keyof Settings, expected: string];

/** One mistake for each setting that has no meaning with the response type `code`. */
export function findCodeMistakes(providers: readonly Settings[]): Mistake[] {
  return findContradictions(providers, 'code', contradictCode);
}

/** One mistake for each setting that has no meaning with the response type `id_token`, or that it makes unsafe. */
export function findIdTokenMistakes(providers: readonly Settings[]): Mistake[] {
  return findContradictions(providers, 'id_token', contradictIdToken);
}

function findContradictions(
  providers: readonly Settings[],
  type: Settings['responseType'],
  contradict: (settings: Settings) => Contradiction[],
): Mistake[] {
  return providers.flatMap((provider, index) =>
    provider.responseType === type
      ? contradict(provider).map(([key, expected]) => ({
          path: ['providers', index, key],
          text: `${describe(provider[key])}; expected ${expected}`,
        }))
      : [],
  );
}

function contradictCode({ apiToken }: Settings): Contradiction[] {
  const reason = 'because a renewal may return no ID token; set "responseType" to "id_token" too';
  return apiToken === 'access_token' ? [] : [['apiToken', `"access_token", ${reason}`]];
}

function contradictIdToken(settings: Settings): Contradiction[] {
  const { apiToken, apiOrigins, deviceFlow, dpop } = settings;
  const { resource, audience, refreshTokenSeconds, trustedAudiences } = settings;
  const without = (token: string) => `because "responseType" "id_token" brings no ${token}`;
  const found: (Contradiction | false)[] = [
    apiToken === 'access_token' &&
      apiOrigins.length > 0 && [
        'apiToken',
        `"id_token", ${without('access token')} for "apiOrigins"; an API must then accept the ID token as Bearer, and without such an API remove "apiOrigins"`,
      ],
    deviceFlow !== 'off' && [
      'deviceFlow',
      '"off", because its tokens come from the token endpoint, which "responseType" "id_token" does not use',
    ],
    dpop !== 'off' && ['dpop', `"off", ${without('access token')} that could be bound to a key`],
    resource !== null && ['resource', `no value, ${without('access token')}`],
    audience !== null && ['audience', `no value, ${without('access token')}`],
    refreshTokenSeconds !== null && ['refreshTokenSeconds', `no value, ${without('refresh token')}`],
    trustedAudiences === 'any' && [
      'trustedAudiences',
      'a list, because with "responseType" "id_token" the ID token comes through the browser and not from the provider itself',
    ],
  ];
  return found.filter((contradiction) => contradiction !== false);
}
