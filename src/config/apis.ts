// The rules for "apis": each origin belongs to one API, and each API needs a token other than that of the sign-in.

import { quote, type Rule } from './config-error.ts';
import type { Provider } from './provider.ts';

/** One mistake for each API that cannot have a token of its own, or needs none, and for each origin of two APIs. */
export function findApiMistakes({ apiOrigins, apis, responseType }: Provider): Rule[] {
  const isRefused = apis.length > 0 && responseType === 'id_token';
  const places = apis.flatMap(({ origins }, at) =>
    origins.map((origin, position) => ({
      origin,
      api: `apis[${at}]`,
      path: ['apis', at, 'origins', position],
    })),
  );
  const listed = [...apiOrigins.map((origin) => ({ origin, api: '"apiOrigins"' })), ...places];
  return [
    [
      isRefused,
      ['apis'],
      'refused beside "responseType" "id_token", which brings no access token; list the origins in "apiOrigins"',
    ],
    ...apis.map(({ scope, resource, audience }, at): Rule => [
      !isRefused && scope === null && resource === null && audience === null,
      ['apis', at],
      'expected "scope", "resource" or "audience", which says what the token is for; an API that takes the token of the sign-in belongs in "apiOrigins"',
    ]),
    ...places.map(({ origin, api, path }): Rule => {
      const first = listed.find((other) => other.origin === origin)?.api;
      return [
        first !== api,
        path,
        `found ${quote(origin)}; expected an origin of one API, but ${first} lists it too`,
      ];
    }),
  ];
}
