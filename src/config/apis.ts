// The rules for "apis": each origin belongs to one API, and each API needs a token other than that of the sign-in.

import type { Mistake, Path } from './config-error.ts';
import { quote } from './describe.ts';
import { memberOf, unknownKeys } from './keys.ts';
import type { Provider } from './provider.ts';
import { apiEntries } from './request-schema.ts';

type Settings = Pick<Provider, 'apiOrigins' | 'apis' | 'responseType'>;

/** One mistake for each unknown key of an API. */
export function findApiKeyMistakes(provider: unknown, path: Path): Mistake[] {
  const apis = memberOf(provider, 'apis');
  return (Array.isArray(apis) ? apis : []).flatMap((api: unknown, at) =>
    unknownKeys(api, [...path, 'apis', at], apiEntries()),
  );
}

/** One mistake for each API that cannot have a token of its own, or needs none, and for each origin of two APIs. */
export function findApiMistakes(providers: readonly Settings[]): Mistake[] {
  return providers.flatMap((provider, index) =>
    [...findNeedless(provider), ...findShared(provider)].map(({ path, text }) => ({
      path: ['providers', index, ...path],
      text,
    })),
  );
}

function findNeedless({ apis, responseType }: Settings): Mistake[] {
  if (apis.length > 0 && responseType === 'id_token') {
    const text =
      'refused beside "responseType" "id_token", which brings no access token; list the origins in "apiOrigins"';
    return [{ path: ['apis'], text }];
  }
  return apis.flatMap(({ scope, resource, audience }, at) =>
    [scope, resource, audience].some((value) => value !== null)
      ? []
      : {
          path: ['apis', at],
          text: 'expected "scope", "resource" or "audience", which says what the token is for; an API that takes the token of the sign-in belongs in "apiOrigins"',
        },
  );
}

function findShared({ apiOrigins, apis }: Settings): Mistake[] {
  const places = [
    ...apiOrigins.map((origin) => ({ origin, api: '"apiOrigins"', path: [] })),
    ...apis.flatMap(({ origins }, at) =>
      origins.map((origin, position) => ({
        origin,
        api: `apis[${at}]`,
        path: ['apis', at, 'origins', position],
      })),
    ),
  ];
  return places.flatMap(({ origin, api, path }) => {
    const first = places.find((other) => other.origin === origin);
    return first === undefined || first.api === api
      ? []
      : {
          path,
          text: `found ${quote(origin)}; expected an origin of one API, but ${first.api} lists it too`,
        };
  });
}
