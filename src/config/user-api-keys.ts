// Rejects unknown and forbidden keys of a user API.

import type { Mistake, Path } from './config-error.ts';
import { droppedNames, isSecret, keysOf, memberOf, secretRefusal, unknownKeys } from './keys.ts';
import { userApiEntries } from './endpoint-schema.ts';

/** Returns one mistake for each key of a provider's `userApi` that is not allowed. */
export function findUserApiKeyMistakes(provider: unknown, path: Path): Mistake[] {
  const userApi = memberOf(provider, 'userApi');
  const headers = memberOf(userApi, 'headers');
  const headersPath = [...path, 'userApi', 'headers'];
  return [
    ...unknownKeys(userApi, [...path, 'userApi'], userApiEntries()),
    ...refusedHeaders(headers, headersPath),
    ...droppedNames(headers, headersPath, 'not a header name'),
  ];
}

/** Headers that the worker or the browser sets itself, or that would change what the request is. */
const ownHeaders: readonly string[] = [
  'authorization',
  'dpop',
  'cookie',
  'cookie2',
  'set-cookie',
  'host',
  'origin',
  'referer',
  'user-agent',
  'accept-encoding',
  'connection',
  'date',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
];
const ownHeaderPrefixes = [
  'access-control-',
  'content-',
  'if-',
  'proxy-',
  'sec-',
  'x-forwarded-',
  'x-http-method',
];

function refusedHeaders(headers: unknown, path: Path): Mistake[] {
  return keysOf(headers).flatMap((name) => {
    const refusal = explainHeaderRefusal(name.toLowerCase());
    return refusal === null ? [] : { path: [...path, name], text: refusal };
  });
}

function explainHeaderRefusal(name: string): string | null {
  if (isSecret(name) || /token|api-?key/.test(name)) return secretRefusal;
  const isOwn = ownHeaders.includes(name) || ownHeaderPrefixes.some((prefix) => name.startsWith(prefix));
  return isOwn ? 'refused: the extension or the browser sets it; remove it' : null;
}
