// The answers and redirects of a provider: the input takes the place of one answer in a flow that otherwise goes well.

import { ProblemError } from '../../src/session/problem.ts';
import type { Profile } from '../../src/session/view.ts';
import { createAuthorizationRequest, readAuthorizationResponse } from '../../src/oidc/authorize.ts';
import { requestDeviceGrant, requestDeviceTokens } from '../../src/parts/device.ts';
import { diagnose } from '../../src/oidc/why.ts';
import { toMembers, type Metadata } from '../../src/oidc/discover.ts';
import { discover } from '../support/discover.ts';
import { generateDpopKey, requestUserInfo } from '../../src/oidc/resource.ts';
import { createEndSessionRequest, readEndSessionResponse, revokeToken } from '../../src/oidc/end.ts';
import { byIdToken } from '../../src/oidc/code-flow.ts';
import { idTokenFlow } from '../../src/parts/id-token.ts';
import { oauthFlow } from '../../src/parts/oauth.ts';
import { parseObject } from '../../src/oidc/jwt.ts';
import { renewTokens } from '../../src/oidc/renew.ts';
import { issued } from '../support/device-scene.ts';
import { publishedKeys } from '../support/keys.ts';
import {
  createScriptedProvider,
  issuer,
  plainSettings,
  plainUser,
  redirectUri,
  signIdToken,
  toMetadata,
  type Script,
} from '../support/scripted-provider.ts';
import { finishSignIn, signInBy } from '../support/sign-in.ts';
import { json, raw, toResponse } from './answers.ts';
import { expectOwnWords, foreignText } from './outcome.ts';
import type { Target } from './targets.ts';

const token = {
  access_token: `${foreignText}-access`,
  token_type: 'Bearer',
  expires_in: 300,
  refresh_token: `${foreignText}-refresh`,
  id_token: '$ID_TOKEN',
  scope: 'openid profile',
};
const metadata = {
  ...toMetadata(issuer),
  end_session_endpoint: `${issuer}/logout`,
  device_authorization_endpoint: `${issuer}/device`,
  pushed_authorization_request_endpoint: `${issuer}/par`,
};
const error = (name: string, status = 400) =>
  json({ error: name, error_description: foreignText, error_uri: `${issuer}/${foreignText}` }, status);
const html = (status: number) =>
  raw(`<p>${foreignText} redirect_uri client_id</p>`, status, { 'content-type': 'text/html' });

/** That of RFC 7515, appendix A.3. */
const publicKey = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
};

const failures = [
  error('invalid_grant'),
  error('invalid_client', 401),
  error('temporarily_unavailable', 503),
  json({}, 401, {
    'www-authenticate': `DPoP error="use_dpop_nonce", error_description="${foreignText}"`,
    'dpop-nonce': foreignText,
  }),
  json({}, 429, { 'retry-after': '7', date: 'Tue, 01 Jan 2030 12:00:00 GMT' }),
  html(200),
  html(502),
];

/** The user of a result, as far as a page sees them: short single lines, of the subject that was asked about. */
function describe({ subject, name, email, picture }: Profile): string {
  const shown = [name, email, picture, subject].map((text) => Array.from(text ?? ''));
  const limits = [201, 320, 2_048, 255];
  if (shown.some((text, at) => text.length > limits[at]! || /[\p{Cc}\u2028\u2029]/u.test(text.join('')))) {
    throw new Error(`A profile that no page can show: ${JSON.stringify(shown).slice(0, 200)}`);
  }
  return `a user with ${JSON.stringify([name, email, picture].map((text) => text !== null))}`;
}

/** A flow in which the input is the answer at `path`. */
function answered(
  name: string,
  path: string,
  seeds: readonly string[],
  script: Script,
  run: (provider: ReturnType<typeof createScriptedProvider>) => Promise<string>,
): Target {
  return {
    name,
    seeds: [...seeds, ...failures],
    async run(input) {
      const provider = createScriptedProvider({
        ...script,
        metadata: { ...metadata, ...script.metadata },
        answers: {
          ...script.answers,
          [path]: async () => {
            const { id_token: idToken } = (await provider.tokenAnswer()) as { readonly id_token: string };
            return toResponse(input.replaceAll('$ID_TOKEN', idToken));
          },
        },
      });
      const result = await run(provider);
      return `${result} after ${[...new Set(provider.paths())].join(' ')}`;
    },
  };
}

const signedIn = async ({ signIn }: ReturnType<typeof createScriptedProvider>) => {
  const { profile, tokens } = await signIn();
  if (profile.subject !== 'ada') throw new Error(`Signed in ${profile.subject}`);
  return `${describe(profile)} and ${JSON.stringify([tokens.refreshToken !== null, Number.isFinite(tokens.expiresAtMs)])}`;
};

const tokens = {
  type: 'Bearer',
  accessToken: `${foreignText}-0`,
  expiresAtMs: 0,
  refreshToken: `${foreignText}-0`,
  idToken: null,
} as const;
const dpopKey = await generateDpopKey();

/** Null and an empty list are no claim. */
const isNone = (value: unknown) =>
  [value].flat(Infinity).every((item) => item === null || item === undefined);

const isAlone = (value: unknown, right: unknown) =>
  [value].flat().length === 1 && [value].flat()[0] === right;

/** Some send a text of digits. */
const isTime = (value: unknown) =>
  typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value));

/** The rule for each claim of an ID token that signs a user in. */
const expectedClaims: Readonly<Record<string, (value: unknown, own: unknown) => boolean>> = {
  iss: (value) => value === issuer,
  aud: (value) => [value].flat().every((one) => one === 'client'),
  // A list of one value stands for that value.
  azp: (value) => isNone(value) || isAlone(value, 'client'),
  sub: (value) => typeof value === 'string' && /^[ -~]{1,255}$/.test(value),
  exp: isTime,
  iat: (value) => isTime(value) && Math.abs(Number(value) - Date.now() / 1000) < 600,
  nbf: (value) => isNone(value) || isTime(value),
  nonce: isAlone,
  at_hash: isNone,
};

/** Expects our issuer, requests to its hosts alone, and algorithms with public keys. The device flow checks its own endpoint. */
function expectOurs(found: Metadata): void {
  const strays = Object.entries(found).filter(
    ([name, value]) =>
      (/^(token|userinfo|revocation|pushed).*_endpoint$|^jwks_uri$/.test(name) &&
        new URL(String(value)).origin !== issuer) ||
      (name.endsWith('_endpoint') &&
        name !== 'device_authorization_endpoint' &&
        !/^(https|http:\/\/(localhost\b|127\.0\.0\.1\b|\[::1\]))/i.test(String(value))),
  );
  const algorithms = found.id_token_signing_alg_values_supported.join();
  if (found.issuer !== issuer || strays.length > 0 || /none\b|\bHS/i.test(algorithms))
    throw new Error(`Metadata that no one may use: ${JSON.stringify(found)}`);
}
const asDevice = {
  metadata: { device_authorization_endpoint: `${issuer}/device` },
  claims: { nonce: undefined },
  provider: { deviceFlow: 'only' },
} satisfies Script;

const redirected = (
  name: string,
  seeds: readonly string[],
  run: (responseUrl: string, provider: ReturnType<typeof createScriptedProvider>) => Promise<string>,
): Target => ({
  name,
  seeds,
  run: (text) => run(text, createScriptedProvider({ metadata })),
});

export const providerTargets: readonly Target[] = [
  answered(
    'token answer',
    '/token',
    [json(token), json({ ...token, token_type: 'bearer', expires_in: '300' })],
    {},
    signedIn,
  ),
  answered(
    'token answer with DPoP',
    '/token',
    [json({ ...token, token_type: 'DPoP' })],
    { provider: { dpop: 'required' } },
    async ({ signIn }) => describe((await signIn(dpopKey)).profile),
  ),
  answered(
    'keys',
    '/keys',
    [json({ keys: [{ ...publicKey, alg: 'ES256', use: 'sig', kid: 'key-1' }] })],
    {},
    signedIn,
  ),
  answered(
    'UserInfo',
    '/userinfo',
    [
      json({
        sub: 'ada',
        name: 'Ada Lovelace',
        picture: `${issuer}/${foreignText}.png`,
        email: 'ada@example.com',
        email_verified: true,
        address: { locality: foreignText },
      }),
    ],
    {},
    async ({ client }) => {
      const profile = await requestUserInfo(client, await discover(client), tokens, { sub: 'ada' });
      if (profile.subject !== 'ada') throw new Error(`It is about ${profile.subject}`);
      return describe(profile);
    },
  ),
  answered(
    'pushed request',
    '/par',
    [json({ request_uri: `urn:${foreignText}`, expires_in: 60 }, 201)],
    // Not by the configuration alone, with which a request that can't be pushed is sent in the URL.
    { metadata: { require_pushed_authorization_requests: true } },
    async ({ client }) => {
      const { url } = await createAuthorizationRequest(client, await discover(client), redirectUri, {}, null);
      const names = [...new URL(url).searchParams.keys()].join();
      if (names !== 'client_id,request_uri') throw new Error(`It asks for ${url}`);
      return 'a reference';
    },
  ),
  answered(
    'renewal',
    '/token',
    [json({ ...token, id_token: undefined }), json({ ...token, refresh_token: undefined })],
    {},
    async ({ client }) => {
      const known = await discover(client);
      const user = { subject: 'ada', claims: null };
      const renewal = await renewTokens(client, known, publishedKeys(client, known), tokens, user);
      if (renewal.outcome === 'renewed')
        return `renewed ${JSON.stringify([renewal.tokens.refreshToken !== null, renewal.tokens.idToken !== null])}`;
      expectOwnWords(JSON.stringify([renewal.problem.code, renewal.problem.detail]));
      return `${renewal.outcome}: ${renewal.problem.message}`;
    },
  ),
  answered(
    'discovery, for a code',
    '/.well-known/openid-configuration',
    [json(metadata)],
    { ...asDevice, answers: { '/device': issued } },
    async ({ client }) => {
      const found = await discover(client);
      expectOurs(found);
      return (await requestDeviceGrant(client, found)).shown.userCode;
    },
  ),
  answered(
    'device code',
    '/device',
    [
      json(issued),
      json({ ...issued, verification_uri_complete: `${issuer}/device-page?user_code=WDJB-MJHT` }),
    ],
    asDevice,
    async ({ client }) => {
      const { shown, intervalSeconds } = await requestDeviceGrant(client, await discover(client));
      if (new URL(shown.verificationUri).origin !== issuer)
        throw new Error(`It opens ${shown.verificationUri}`);
      if (
        shown.userCode.length > 32 ||
        shown.verificationUri.length > 2_000 ||
        intervalSeconds < 1 ||
        intervalSeconds > 60
      )
        throw new Error('A code that no page can show.');
      return 'a code';
    },
  ),
  answered(
    'device tokens',
    '/token',
    [json(token), error('authorization_pending'), error('slow_down')],
    asDevice,
    async ({ client }) => {
      const known = await discover(client);
      const keys = publishedKeys(client, known);
      const answer = await requestDeviceTokens(client, known, keys, { deviceCode: foreignText }, byIdToken);
      return answer.outcome === 'signed-in' ? describe(answer.result.profile) : answer.outcome;
    },
  ),
  answered(
    'user API',
    '/user',
    [json({ ...plainUser, avatar_url: `${issuer}/${foreignText}` })],
    { provider: plainSettings, token: { id_token: undefined } },
    async ({ client, approve }) =>
      describe((await signInBy(oauthFlow, client, redirectUri, approve)).profile),
  ),
  answered('revocation', '/revoke', [raw('', 200, {})], {}, async ({ client }) => {
    const outcome = await revokeToken(client, await discover(client), 'refresh-1');
    return JSON.stringify(outcome ?? null);
  }),
  answered(
    'sign-in page',
    '/authorize',
    [
      html(400),
      raw('', 302, {
        location: `${redirectUri}?error=login_required&error_description=${foreignText}`,
      }),
    ],
    {},
    async ({ client }) => {
      const used = await discover(client);
      const found = await diagnose(client, used, redirectUri, () => discover(client));
      if (found === null) return 'no diagnosis';
      throw found;
    },
  ),
  {
    name: 'ID token',
    seeds: [
      JSON.stringify({
        claims: { iss: issuer, aud: 'client', sub: 'ada', exp: 4_000_000_000, nbf: 0 },
        header: {},
      }),
      JSON.stringify({ claims: { iat: 0, nonce: foreignText } }),
      JSON.stringify({
        claims: {
          email: 'eve@example.com',
          auth_time: 1,
          acr: '1',
          amr: ['pwd'],
          azp: 'client',
          at_hash: foreignText,
        },
        header: { typ: 'JWT' },
      }),
      JSON.stringify({
        claims: { given_name: 'Ada', family_name: foreignText, name: null, picture: `${issuer}/x.png` },
      }),
      // No text can be made of it.
      JSON.stringify({ claims: { other: { toString: 1 } } }),
      'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJ4In0.c2ln',
    ],
    async run(input) {
      const changed = parseObject(input);
      const signed: { own?: Readonly<Record<string, unknown>>; claims?: Readonly<Record<string, unknown>> } =
        {};
      const { signIn } = createScriptedProvider({
        metadata,
        // A text that is no JSON stands for the token as it is.
        idToken: (own) => {
          if (changed === null) return input;
          const claims = { ...own, ...toMembers(changed['claims']) };
          return signIdToken(claims, undefined, toMembers(changed['header'])).then(
            (jwt) => (Object.assign(signed, { own, claims }), jwt),
            () => input,
          );
        },
      });
      const { profile } = await signIn();
      const { own, claims } = signed;
      const wrong = Object.entries(expectedClaims).filter(
        ([name, isRight]) => !isRight(claims?.[name], own?.[name]),
      );
      if (wrong.length > 0) throw new Error(`Signed in with another ${wrong.map(([name]) => name).join()}`);
      return describe(profile);
    },
  },
  redirected(
    'redirect with a code',
    [
      `${redirectUri}?code=code-1&state=$STATE&iss=${encodeURIComponent(issuer)}`,
      `${redirectUri}?error=access_denied&error_description=${foreignText}&state=$STATE&iss=${encodeURIComponent(issuer)}`,
    ],
    async (text, { client }) => {
      const known = await discover(client);
      const request = await createAuthorizationRequest(client, known, redirectUri, {}, null);
      const url = text.replaceAll('$STATE', request.state);
      const parameters = await readAuthorizationResponse(client, known, request, url);
      const { searchParams } = new URL(url);
      // A parameter without a value counts as left out (RFC 6749 section 3.1).
      const valuesOf = (name: string) => searchParams.getAll(name).filter((value) => value !== '');
      if (!url.startsWith(`${redirectUri}?`) || valuesOf('state').join() !== request.state)
        throw new Error('A redirect of another request.');
      if (valuesOf('iss').join() !== issuer || valuesOf('code').length !== 1)
        throw new Error('A redirect of another provider, or without one code.');
      return `a code ${parameters.size}`;
    },
  ),
  redirected(
    'redirect with an ID token',
    [
      `${redirectUri}#id_token=$ID_TOKEN&state=$STATE`,
      `${redirectUri}#error=access_denied&state=$STATE&error_description=${foreignText}`,
    ],
    async (text, provider) => {
      const { client } = provider;
      const known = await discover(client);
      const request = await idTokenFlow.createRequest(client, known, redirectUri, {}, null);
      const approved = new URL(await provider.approveWithIdToken(request.url)).hash;
      const idToken = new URLSearchParams(approved.slice(1)).get('id_token') ?? '';
      const url = text.replaceAll('$STATE', request.state).replaceAll('$ID_TOKEN', idToken);
      const keys = publishedKeys(client, known);
      const { profile } = await finishSignIn(idTokenFlow, client, known, keys, request, url, null);
      return describe(profile);
    },
  ),
  redirected(
    'redirect of a sign-out',
    [`${redirectUri}?state=$STATE`, `${redirectUri}?error=${foreignText}`],
    async (text, { client }) => {
      const request = createEndSessionRequest(client, await discover(client), { redirectUri, idToken: null });
      if (request === null) throw new ProblemError('provider-misconfigured');
      const stateParameter = 'state';
      return readEndSessionResponse(
        { ...request, stateParameter },
        redirectUri,
        text.replaceAll('$STATE', request.state),
      );
    },
  ),
];
