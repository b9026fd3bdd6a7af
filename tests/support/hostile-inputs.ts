// Every parser of outside input, with the inputs that are worst for it.

import * as oauth from 'oauth4webapi';
import { parseEntries } from '../../src/bridge/report/entries.ts';
import { parseBoard } from '../../src/bridge/session/board.ts';
import { readConfig } from '../../src/config/config.ts';
import { checkEndpoint, checkIssuer, checkOrigin } from '../../src/config/url.ts';
import { createExchange } from '../../src/oidc/exchange.ts';
import { createProviderClient } from '../../src/oidc/provider-client.ts';
import { readDiagnosis } from '../../src/oidc/diagnosis.ts';
import { readKeys, readMetadata } from '../../src/oidc/discover.ts';
import { readFragment } from '../../src/oidc/fragment.ts';
import { readRedirect } from '../../src/oidc/redirect.ts';
import { toProblemErrors } from '../../src/oidc/rejection.ts';
import { requestResource } from '../../src/oidc/resource.ts';
import { findDenied, joinScopes } from '../../src/oidc/scope.ts';
import { withStandardAnswers } from '../../src/oidc/token-answer.ts';
import { toProfile, toTokenSet, type TokenSet } from '../../src/oidc/tokens.ts';
import { readClaims } from '../../src/oidc/unverified-claims.ts';
import { readUser } from '../../src/oidc/user-api.ts';
import { toVisibleText } from '../../src/oidc/visible-text.ts';
import { words } from '../../src/session/detail.ts';
import { toProblem } from '../../src/session/problem.ts';
import { parseCommand } from '../../src/session/commands.ts';
import { createScriptedProvider, issuer, plainSettings, provider, redirectUri } from './scripted-provider.ts';

interface HostileInput {
  readonly name: string;
  /** Creates an input of about this many characters. */
  readonly fill: (length: number) => string;
  /** Parses the input, accepted or not. */
  readonly parse: (input: string) => unknown;
}

const registration = { redirectUri, clientId: 'client' };
const { client } = createScriptedProvider();

const repeat = (part: string) => (length: number) => part.repeat(Math.ceil(length / part.length));

/** Runs `parse`, and takes a rejection for an answer. */
const settle = async (parse: () => unknown): Promise<void> => {
  try {
    await parse();
  } catch {
    // To be rejected is one of the outcomes.
  }
};

const respond = (headers: Record<string, string>, body = '', status = 400) => {
  const world = {
    ...client.world,
    fetch: () => Promise.resolve(new Response(body, { status, headers })),
  };
  return createExchange(world, [issuer]).fetch(`${issuer}/token`, {});
};

const toErrorOf = (error: Record<string, unknown>) =>
  settle(() =>
    toProblemErrors(client, words`token`, () => {
      const response = new Response();
      throw new oauth.ResponseBodyError('error', { cause: error as never, response });
    }),
  );

const readPlainToken = (body: string) => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const script = { provider: plainSettings, answers: { '/token': new Response(body, { headers }) } };
  const plain = withStandardAnswers(createScriptedProvider(script).client);
  return plain.options[oauth.customFetch](`${issuer}/token`, {});
};

const parsers: readonly [name: string, parts: readonly string[], parse: (input: string) => unknown][] = [
  [
    'a page of the provider',
    [
      '<',
      '<a',
      '<script',
      '<script>',
      '<style ',
      '</script',
      '<<script>>',
      '<script></style>',
      'redirect_ur',
      'client_i',
    ],
    (text) => readDiagnosis({ status: 400, url: `${issuer}/error`, text }, registration),
  ],
  ['the text of a page', ['<', '<script', '<STYLE>', '>', '<>'], toVisibleText],
  [
    'the URL of a page',
    ['&error=x', '%', '=&'],
    (query) => readDiagnosis({ status: 400, url: `${issuer}/?${query}`, text: '' }, registration),
  ],
  [
    'an error description',
    ['?', '? ', 'x', '\u00e9 ', '??x'],
    (text) => toErrorOf({ error: 'x', error_description: text }),
  ],
  ['a detail', ['x', ' '], (text) => toErrorOf({ error: text }).then(() => toProblem(text))],
  [
    'a redirect',
    ['?', '#', '&a=b', '%', '/', '&a[]'],
    (text) => readRedirect(redirectUri, `${redirectUri}?${text}`),
  ],
  ['a foreign redirect', ['?', '#', '/'], (text) => readRedirect(redirectUri, text)],
  [
    'a redirect with its answer in the fragment',
    ['?', '#', '&a=b', '%', '/', '&a[]'],
    (text) => readFragment(redirectUri, `${redirectUri}#${text}`),
  ],
  [
    'the scope granted',
    ['a ', ' ', '/', '/a', '/notes.read'],
    (text) => findDenied('openid notes.read', text),
  ],
  ['the scope requested', ['a ', ' ', 'ab '], (text) => joinScopes('openid', text)],
  [
    'claims',
    [' ', '\n', '\u202e', 'x\n', '\u{1f600}', '\ud800'],
    (text) => {
      const tokens = toTokenSet(
        { access_token: `${text}b`, token_type: 'bearer', refresh_token: `b${text}` },
        0,
      );
      toProfile('demo', { sub: 'ada', name: text, email: text, picture: `https://x/${text}` }, tokens);
    },
  ],
  [
    'the answer of a user API',
    ['[', '{"a":', '{"id":', ' '],
    (text) =>
      settle(() =>
        readUser({ ...plainSettings.userApi, subject: 'a.a.a.a.a.a.a.a' }, JSON.parse(close(text))),
      ),
  ],
  [
    'a token response of plain OAuth 2',
    ['a=b&', '%', '=', '&error=', '{"a":', '['],
    (text) => readPlainToken(text.slice(-255_000)),
  ],
  [
    'an ID token',
    ['.', 'a', 'a.', '='],
    (text) => createScriptedProvider({ idToken: () => text.slice(-255_000) }).signIn(),
  ],
  [
    'a challenge',
    ['a=b,', 'a="', 'a="b",', 'x ', ',', ' ', 'a="\\'],
    (text) => readChallenge(`DPoP ${text}`),
  ],
  ['a challenge of an API', ['a=b,', 'a="b",'], (text) => readApiChallenge(`DPoP ${text}`)],
  ['a token that is not verified', ['.', 'a', 'a.a.'], (text) => readClaims(`a.${btoa(text)}.c`)],
  ['a date', ['(', '1', 'a', ' ', '1:', '+'], (date) => respond({ date, age: '0' })],
  ['an age', ['0', '1', '0,'], (age) => respond({ date: 'x', age })],
  ['a Retry-After', ['1', '(', '1 '], (text) => respond({ 'retry-after': text }, '', 429)],
  [
    'a discovery document',
    ['["', '{"a":', '[', ' '],
    (text) => readMetadata(JSON.parse(close(text)), provider),
  ],
  ['an issuer that is another', ['x', '/'], (text) => readMetadata({ ...metadata, issuer: text }, provider)],
  [
    'the algorithms of a provider',
    ['none'],
    (text) =>
      readMetadata(
        { ...metadata, id_token_signing_alg_values_supported: text.match(/.{4}/g) ?? [] },
        provider,
      ),
  ],
  [
    'keys',
    ['k'],
    (text) => readKeys({ keys: Array.from({ length: text.length / 16 }, () => ({ kty: 'EC' })) }),
  ],
  ['a URL of the configuration', ['a', 'a.', '.', '@', '/', '-'], (text) => settleUrl(`https://${text}`)],
  [
    'a configuration',
    ['clientId', 'a', 'provider', '-'],
    (text) => readConfig({ [text]: text, providers: [{ [text]: text, issuer: text }] }),
  ],
  [
    'the scope of a configuration',
    ['openid ', 'a ', 'a'],
    (scope) =>
      readConfig({ providers: [{ id: 'x', name: 'X', issuer, clientId: 'x', scope: `${scope}\n` }] }),
  ],
  [
    'a configuration with many keys',
    ['key'],
    (text) =>
      settle(() =>
        readConfig(
          Object.fromEntries(Array.from({ length: text.length / 16 }, (_, index) => [`key${index}`, 1])),
        ),
      ),
  ],
  [
    'a configuration with many providers',
    ['same'],
    (text) =>
      settle(() =>
        readConfig({
          providers: Array.from({ length: text.length / 64 }, () => ({
            id: 'same',
            name: 'Same',
            issuer,
            clientId: 'client',
          })),
        }),
      ),
  ],
  ['a command', ['a ', 'a', ' '], (scope) => parseCommand({ type: 'request-scope', scope })],
  ['a board', ['x'], (text) => parseBoard({ version: 1, session: { status: text }, providers: [text] })],
  [
    'the journal',
    ['x'],
    (text) => parseEntries(Array.from({ length: text.length / 16 }, () => ({ what: text.slice(0, 16) }))),
  ],
];

const metadata = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
};

/** Makes JSON of text that opens brackets and quotes. */
function close(text: string): string {
  return text.trim() === '' ? `${text}{}` : JSON.stringify({ ...metadata, extra: text });
}

function settleUrl(text: string): void {
  for (const check of [checkIssuer, checkEndpoint, checkOrigin]) check(text);
}

async function readChallenge(challenge: string): Promise<void> {
  const world = {
    ...client.world,
    fetch: () =>
      Promise.resolve(new Response('', { status: 401, headers: { 'www-authenticate': challenge } })),
  };
  const hostile = createProviderClient(world, provider);
  await settle(() =>
    oauth
      .userInfoRequest({ ...metadata, userinfo_endpoint: issuer }, { client_id: 'x' }, 'x', hostile.options)
      .then((response) => oauth.processUserInfoResponse(metadata, { client_id: 'x' }, 'ada', response)),
  );
}

async function readApiChallenge(challenge: string): Promise<void> {
  const tokens: TokenSet = {
    type: 'Bearer',
    accessToken: 'x',
    expiresAtMs: 0,
    refreshToken: null,
    idToken: null,
  };
  const request = { url: issuer, method: 'GET', headers: new Headers() };
  const response = new Response('', { status: 401, headers: { 'www-authenticate': challenge } });
  await requestResource(client, tokens, null, request, () => Promise.resolve(response));
}

export const hostileInputs: readonly HostileInput[] = parsers.flatMap(([parser, parts, parse]) =>
  parts.map((part) => ({
    name: `${parser} of ${JSON.stringify(part)}`,
    fill: repeat(part),
    parse: (input: string) => settle(() => parse(input)),
  })),
);
