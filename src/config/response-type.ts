// Finds settings that contradict the response type of their provider.

import { describe, type Rule } from './config-error.ts';
import type { Provider } from './provider.ts';

/** One mistake for each setting that has no meaning with the response type `code`. */
export function findCodeMistakes({ responseType, apiToken }: Provider): Rule[] {
  const isBroken = responseType === 'code' && apiToken !== 'access_token';
  const reason = 'because a renewal may return no ID token; set "responseType" to "id_token" too';
  return [[isBroken, ['apiToken'], `${describe(apiToken)}; expected "access_token", ${reason}`]];
}

/** One mistake for each setting that has no meaning with the response type `id_token`, or is unsafe with it. */
export function findIdTokenMistakes(provider: Provider): Rule[] {
  if (provider.responseType !== 'id_token') return [];
  const { apiToken, apiOrigins, deviceFlow, dpop } = provider;
  const { resource, audience, refreshTokenSeconds, trustedAudiences } = provider;
  const without = (token: string) => `because "responseType" "id_token" brings no ${token}`;
  const rule = (isBroken: boolean, key: keyof Provider, expected: string): Rule => [
    isBroken,
    [key],
    `${describe(provider[key])}; expected ${expected}`,
  ];
  return [
    rule(
      apiToken === 'access_token' && apiOrigins.length > 0,
      'apiToken',
      `"id_token", ${without('access token')} for "apiOrigins"; an API must then accept the ID token as Bearer, and without such an API remove "apiOrigins"`,
    ),
    rule(
      deviceFlow !== 'off',
      'deviceFlow',
      '"off", because its tokens come from the token endpoint, which "responseType" "id_token" does not use',
    ),
    rule(dpop !== 'off', 'dpop', `"off", ${without('access token')} that could be bound to a key`),
    rule(resource !== null, 'resource', `no value, ${without('access token')}`),
    rule(audience !== null, 'audience', `no value, ${without('access token')}`),
    rule(refreshTokenSeconds !== null, 'refreshTokenSeconds', `no value, ${without('refresh token')}`),
    rule(
      trustedAudiences === 'any',
      'trustedAudiences',
      'a list, because with "responseType" "id_token" the ID token comes through the browser and not from the provider itself',
    ),
  ];
}
