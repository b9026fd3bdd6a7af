// Runs the relying-party modules of the OpenID Foundation's conformance suite (commit 12f2a4d of 2026-08-20)
// against the scripted provider, which makes the mistakes of the suite's provider. Modules that do not apply
// to a public client with the code flow are listed with the reason.

import { UnsecuredJWT } from 'jose';
import { expect, test } from 'vitest';
import { discover, requestKeys } from '../../src/oidc/discover.ts';
import { generateDpopKey } from '../../src/oidc/dpop.ts';
import { createEndSessionRequest, readEndSessionResponse } from '../../src/oidc/end.ts';
import type { OriginalClaims } from '../../src/oidc/original-claims.ts';
import { requestUserInfo } from '../../src/oidc/redeem.ts';
import { renewTokens } from '../../src/oidc/renew.ts';
import type { TokenSet } from '../../src/oidc/tokens.ts';
import type { ProblemCode } from '../../src/session/problem.ts';
import {
  createScriptedProvider,
  createSigningKey,
  issuer,
  redirectUri,
  signIdToken,
  type Script,
  type ScriptedProvider,
  type SigningKey,
} from '../support/scripted-provider.ts';

const now = () => Math.floor(Date.now() / 1000);
const rsaKey = await createSigningKey('rsa-1', 'RS256');
/** To create an RSA key takes a tenth of a second. */
const withoutKid = ({ privateKey, jwk: { kid: _kid, ...jwk } }: SigningKey): SigningKey => ({
  privateKey,
  jwk,
});
const rsa: Script = { signingKey: rsaKey, metadata: { id_token_signing_alg_values_supported: ['RS256'] } };
const dpopKey = await generateDpopKey();

/** Runs a sign-in and UserInfo, like a client of the suite. */
async function complete(provider: ScriptedProvider, key: CryptoKeyPair | null) {
  const { tokens, claims, originalClaims } = await provider.signIn(key);
  const metadata = await discover(provider.client);
  const profile = await requestUserInfo(provider.client, metadata, tokens, claims, key);
  return { tokens, profile, originalClaims };
}

async function finish(script: Script, key: CryptoKeyPair | null = null) {
  const provider = createScriptedProvider(script);
  const completed = await complete(provider, key);
  expect(provider.paths().at(-1)).toBe('/userinfo');
  return { provider, ...completed };
}

/** Expects the client to reject the fault and never to request `before`. */
async function stop(
  script: Script,
  before: string,
  key: CryptoKeyPair | null = null,
  code: ProblemCode = 'response-rejected',
) {
  const provider = createScriptedProvider(script);
  await expect(complete(provider, key)).rejects.toMatchObject({ code });
  expect(provider.paths()).not.toContain(before);
}

const stopAtIdToken = (script: Script) => stop(script, '/userinfo');
const withClaims = (claims: Record<string, unknown>) => stopAtIdToken({ claims });
const unsigned: Script = {
  metadata: { id_token_signing_alg_values_supported: ['none'] },
  idToken: (claims) => new UnsecuredJWT(claims).encode(),
};
const withBadSignature = (script: Script): Script => ({
  ...script,
  idToken: async (claims) => {
    const [header, payload, signature = ''] = (await signIdToken(claims, script.signingKey)).split('.');
    return `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
  },
});
const symmetric = {
  privateKey: new TextEncoder().encode('a secret that this client never had'),
  jwk: { alg: 'HS256', kty: 'oct' },
} as unknown as SigningKey;

async function renew(
  { client }: ScriptedProvider,
  tokens: TokenSet,
  claims: OriginalClaims,
  key: CryptoKeyPair | null = null,
) {
  const { refreshToken } = tokens;
  if (refreshToken === null) throw new Error('There is no refresh token.');
  const metadata = await discover(client);
  const ask = () => requestKeys(client, metadata);
  const keys = { current: ask, refetch: ask };
  const current = { ...tokens, refreshToken };
  const renewal = await renewTokens(client, metadata, keys, current, { subject: 'ada', claims }, key);
  if (renewal.outcome !== 'renewed') throw renewal.problem;
  return renewal.tokens;
}

/** Expects a renewal to be rejected for its ID token. */
async function stopAtRenewal(claims: Record<string, unknown>) {
  const script: Script = {};
  const { provider, tokens, originalClaims } = await finish(script);
  script.claims = { nonce: undefined, ...claims };
  await expect(renew(provider, tokens, originalClaims)).rejects.toMatchObject({ code: 'response-rejected' });
}

/** Signs out with a redirect that carries `toState` of our state. */
async function logOut(toState: (state: string) => string) {
  const { client } = createScriptedProvider({ metadata: { end_session_endpoint: `${issuer}/logout` } });
  const request = createEndSessionRequest(client, await discover(client), {
    idToken: 'id-1',
    redirectUri,
  });
  expect(new URL(request?.url ?? '').searchParams.get('post_logout_redirect_uri')).toBe(redirectUri);
  return readEndSessionResponse(
    request ?? { url: '', state: '', stateParameter: 'state' },
    redirectUri,
    `${redirectUri}${toState(request?.state ?? '')}`,
  );
}

const openid: Record<string, () => Promise<unknown>> = {
  'oidcc-client-test': () => finish({}),
  'oidcc-client-test-invalid-iss': () => withClaims({ iss: `${issuer}/other` }),
  'oidcc-client-test-invalid-aud': () => withClaims({ aud: 'another' }),
  'oidcc-client-test-missing-aud': () => withClaims({ aud: undefined }),
  'oidcc-client-test-missing-sub': () => withClaims({ sub: undefined }),
  'oidcc-client-test-missing-iat': () => withClaims({ iat: undefined }),
  'oidcc-client-test-nonce-invalid': () => withClaims({ nonce: 'another' }),
  'oidcc-client-test-invalid-athash': () => withClaims({ at_hash: 'LDktKdoQak3Pk0cnXxCltA' }),
  'oidcc-client-test-kid-absent-single-jwks': async () => finish({ ...rsa, signingKey: withoutKid(rsaKey) }),
  'oidcc-client-test-kid-absent-multiple-jwks': async () => {
    const [signingKey, other] = [withoutKid(rsaKey), await createSigningKey(null, 'RS256')];
    await stopAtIdToken({ ...rsa, signingKey, publishedKeys: () => [signingKey.jwk, other.jwk] });
  },
  'oidcc-client-test-idtoken-sig-rs256': () => finish(rsa),
  'oidcc-client-test-idtoken-sig-none': () => stopAtIdToken(unsigned),
  'oidcc-client-test-invalid-sig-rs256': () => stopAtIdToken(withBadSignature(rsa)),
  'oidcc-client-test-invalid-sig-es256': () => stopAtIdToken(withBadSignature({})),
  'oidcc-client-test-invalid-sig-hs256': () =>
    stopAtIdToken({
      metadata: { id_token_signing_alg_values_supported: ['HS256'] },
      idToken: (claims) => signIdToken(claims, symmetric),
    }),
  'oidcc-client-test-userinfo-invalid-sub': () =>
    expect(finish({ answers: { '/userinfo': { sub: 'eve', name: 'Eve' } } })).rejects.toMatchObject({
      code: 'response-rejected',
    }),
  'oidcc-client-test-userinfo-bearer-header': async () => {
    const { provider } = await finish({});
    expect(provider.requests.at(-1)?.headers.get('authorization')).toBe('Bearer access-1');
    expect(provider.requests.at(-1)?.parameters.size).toBe(0);
  },
  'oidcc-client-test-scope-userinfo-claims': async () => {
    const { profile } = await finish({
      claims: { name: undefined, email: undefined, email_verified: undefined },
      answers: { '/userinfo': { sub: 'ada', name: 'Ada', email: 'ada@example.com', email_verified: true } },
    });
    expect(profile).toMatchObject({ name: 'Ada', email: 'ada@example.com', emailVerified: true });
  },
  'oidcc-client-test-aggregated-claims': async () => {
    const fromElsewhere = { address: { locality: 'London' }, email: 'eve@example.com' };
    const userInfo = {
      sub: 'ada',
      _claim_names: { address: 'src1', email: 'src1' },
      _claim_sources: { src1: { JWT: new UnsecuredJWT(fromElsewhere).encode() } },
    };
    const claims = { email: undefined, email_verified: undefined };
    const { profile } = await finish({ claims, answers: { '/userinfo': userInfo } });
    expect(profile).toMatchObject({ name: 'Ada Lovelace', email: null });
  },
  'oidcc-client-test-discovery-openid-config': async () => {
    const { provider } = await finish({});
    expect(provider.paths()[0]).toBe('/.well-known/openid-configuration');
  },
  'oidcc-client-test-discovery-jwks-uri-keys': async () => {
    const answers = { '/other-keys': { keys: [rsaKey.jwk] }, '/keys': { keys: [] } };
    const metadata = { ...rsa.metadata, jwks_uri: `${issuer}/other-keys` };
    await finish({ ...rsa, metadata, answers });
  },
  'oidcc-client-test-discovery-issuer-mismatch': () =>
    stop({ metadata: { issuer: `${issuer}/other` } }, '/token', null, 'provider-misconfigured'),
  'oidcc-client-test-signing-key-rotation': async () => {
    const script: Script = {};
    const provider = createScriptedProvider(script);
    await complete(provider, null);
    script.signingKey = await createSigningKey('key-2');
    await expect(complete(provider, null)).resolves.toBeDefined();
  },
  'oidcc-client-test-signing-key-rotation-just-before-signing': async () => {
    const [old, signingKey] = [await createSigningKey('key-1'), await createSigningKey('key-2')];
    let hasSigned = false;
    await finish({
      publishedKeys: () => [hasSigned ? signingKey.jwk : old.jwk],
      idToken: (claims) => ((hasSigned = true), signIdToken(claims, signingKey)),
    });
  },
  'oidcc-client-test-refresh-token': async () => {
    const script: Script = {};
    const { provider, tokens, originalClaims } = await finish(script);
    script.claims = { nonce: undefined };
    script.token = { access_token: 'access-2' };
    const renewed = await renew(provider, tokens, originalClaims);
    await requestUserInfo(provider.client, await discover(provider.client), renewed, { sub: 'ada' });
    expect(provider.requests.at(-1)?.headers.get('authorization')).toBe('Bearer access-2');
  },
  'oidcc-client-test-refresh-token-invalid-issuer': () => stopAtRenewal({ iss: `${issuer}/other` }),
  'oidcc-client-test-refresh-token-invalid-sub': () => stopAtRenewal({ sub: 'eve' }),
  'oidcc-client-test-rp-init-logout': async () =>
    expect(await logOut((state) => `?state=${state}`)).toBe('confirmed'),
  'oidcc-client-test-rp-init-logout-other-state': async () =>
    expect(await logOut(() => '?state=another')).toBe('unconfirmed'),
  'oidcc-client-test-rp-init-logout-no-state': async () => expect(await logOut(() => '')).toBe('unconfirmed'),
};

/** FAPI 2.0 without client authentication: pushed requests, DPoP tokens and nonces. */
const fapi = (script: Script = {}): Script => ({
  dpopNonce: () => 'nonce-1',
  ...script,
  metadata: {
    pushed_authorization_request_endpoint: `${issuer}/par`,
    require_pushed_authorization_requests: true,
    dpop_signing_alg_values_supported: ['ES256'],
    ...script.metadata,
  },
  provider: { dpop: 'required' },
});
const finishFapi = (script: Script) => finish(fapi(script), dpopKey);
const stopFapi = (claims: Record<string, unknown>) => stop(fapi({ claims }), '/userinfo', dpopKey);
const stopAtRedirect = (redirect: NonNullable<Script['redirect']>) =>
  stop(fapi({ redirect }), '/token', dpopKey);

const fapiPrefix = 'fapi2-security-profile-final-client-test-';
const fapiModules: Record<string, () => Promise<unknown>> = {
  [`${fapiPrefix}happy-path`]: async () => {
    const { provider, tokens } = await finishFapi({});
    expect(tokens.type).toBe('DPoP');
    expect(provider.paths()).toContain('/par');
  },
  [`${fapiPrefix}happy-path-no-dpop-nonce`]: async () => {
    const { provider } = await finishFapi({ dpopNonce: () => null });
    expect(provider.paths().filter((path) => path === '/token')).toHaveLength(1);
  },
  [`${fapiPrefix}discovery-issuer-mismatch`]: () =>
    stop(fapi({ metadata: { issuer: `${issuer}/other` } }), '/par', dpopKey, 'provider-misconfigured'),
  [`${fapiPrefix}invalid-iss`]: () => stopFapi({ iss: `${issuer}/other` }),
  [`${fapiPrefix}invalid-aud`]: () => stopFapi({ aud: 'another' }),
  [`${fapiPrefix}invalid-secondary-aud`]: () => stopFapi({ aud: ['client', 'another'] }),
  [`${fapiPrefix}invalid-missing-iss`]: () => stopFapi({ iss: undefined }),
  [`${fapiPrefix}invalid-missing-aud`]: () => stopFapi({ aud: undefined }),
  [`${fapiPrefix}invalid-missing-exp`]: () => stopFapi({ exp: undefined }),
  [`${fapiPrefix}invalid-expired-exp`]: () => stopFapi({ exp: now() - 301 }),
  [`${fapiPrefix}invalid-null-alg`]: () => stop(fapi(unsigned), '/userinfo', dpopKey),
  [`${fapiPrefix}invalid-alternate-alg`]: () =>
    stop(fapi({ idToken: (claims) => signIdToken(claims, rsaKey) }), '/userinfo', dpopKey),
  [`${fapiPrefix}invalid-nonce`]: () => stopFapi({ nonce: 'another' }),
  [`${fapiPrefix}invalid-missing-nonce`]: () => stopFapi({ nonce: undefined }),
  [`${fapiPrefix}valid-aud-as-array`]: () => finishFapi({ claims: { aud: ['client'] } }),
  [`${fapiPrefix}invalid-authorization-response-iss`]: () =>
    stopAtRedirect((url) => void url.searchParams.set('iss', `${issuer}/other`)),
  [`${fapiPrefix}remove-authorization-response-iss`]: () =>
    stopAtRedirect((url) => void url.searchParams.delete('iss')),
  [`${fapiPrefix}ensure-authorization-response-with-invalid-state-fails`]: () =>
    stopAtRedirect((url) => void url.searchParams.set('state', 'another')),
  [`${fapiPrefix}ensure-authorization-response-with-invalid-missing-state-fails`]: () =>
    stopAtRedirect((url) => void url.searchParams.delete('state')),
  [`${fapiPrefix}token-endpoint-response-without-expires_in`]: () =>
    finishFapi({ token: { expires_in: undefined } }),
  [`${fapiPrefix}token-type-case-insensitivity`]: () => finishFapi({ token: { token_type: 'dPoP' } }),
  [`${fapiPrefix}rs-dpop-auth-scheme-case-insensitivity`]: async () => {
    const challenge = new Response(null, {
      status: 401,
      headers: { 'www-authenticate': 'dPoP error="use_dpop_nonce"' },
    });
    const answers = [challenge, Response.json({ sub: 'ada' })];
    await finishFapi({ answers: { '/userinfo': () => answers.shift() ?? challenge } });
    expect(answers).toEqual([]);
  },
  'fapi2-security-profile-final-client-refresh-token-test': async () => {
    const script = fapi();
    const { provider, tokens, originalClaims } = await finish(script, dpopKey);
    script.claims = { nonce: undefined };
    script.token = { refresh_token: 'refresh-2' };
    const renewed = await renew(provider, tokens, originalClaims, dpopKey);
    await renew(provider, renewed, originalClaims, dpopKey);
    const sent = provider.requests.map(({ parameters }) => parameters.get('refresh_token'));
    expect(sent.filter((token) => token !== null)).toEqual(['refresh-1', 'refresh-2']);
  },
};

const otherFlow = 'It tests the implicit and hybrid flows; the code flow has no token in the redirect.';
const noServer = 'The provider would call the client, but an extension has no address.';
const noJarm = 'Signed responses are not requested and are rejected, as authorize.test.ts shows.';

const notApplicable: Record<string, string> = {
  'oidcc-client-test-nonce-unless-code-flow': otherFlow,
  'oidcc-client-test-invalid-chash': otherFlow,
  'oidcc-client-test-missing-chash': otherFlow,
  'oidcc-client-test-missing-athash': 'The code flow may leave at_hash out (OpenID Connect Core 3.1.3.6).',
  'oidcc-client-test-form-post-error': 'An extension cannot receive a POST.',
  'oidcc-client-test-client-secret-basic': 'A public client has no secret.',
  'oidcc-client-test-mtls-endpoint-aliases': 'A public client has no certificate.',
  'oidcc-client-test-userinfo-bearer-body':
    'The body is for clients that cannot set a header (RFC 6750 section 2.2); another module tests the header.',
  'oidcc-client-test-userinfo-signed':
    'Signed UserInfo requires dynamic registration, which Latchkey does not use.',
  'oidcc-client-test-distributed-claims':
    'It requires a request to any host named in a response, but only configured hosts are contacted.',
  'oidcc-client-test-request-uri-signed-none':
    'A client without a server has nowhere to put a request object.',
  'oidcc-client-test-request-uri-signed-rs256':
    'A client without a server has nowhere to put a request object.',
  'oidcc-client-test-discovery-webfinger-acct': 'Providers are configured, not discovered by an address.',
  'oidcc-client-test-discovery-webfinger-url': 'Providers are configured, not discovered by an address.',
  'oidcc-client-test-dynamic-registration': 'The client is registered once, by the developer.',
  'oidcc-client-test-3rd-party-init-login': 'A sign-in starts only with a click of the person.',
  'oidcc-client-test-session-management': 'It needs a frame of the provider in a page of the extension.',
  'oidcc-client-test-rp-frontchannel-rpinitlogout': noServer,
  'oidcc-client-test-rp-frontchannel-opinitlogout': noServer,
  'oidcc-client-test-rp-backchannel-rpinitlogout': noServer,
  'oidcc-client-test-rp-backchannel-rpinitlogout-alg-none': noServer,
  'oidcc-client-test-rp-backchannel-rpinitlogout-no-event': noServer,
  'oidcc-client-test-rp-backchannel-rpinitlogout-with-nonce': noServer,
  'oidcc-client-test-rp-backchannel-rpinitlogout-wrong-alg': noServer,
  'oidcc-client-test-rp-backchannel-rpinitlogout-wrong-aud': noServer,
  'oidcc-client-test-rp-backchannel-rpinitlogout-wrong-event': noServer,
  'oidcc-client-test-rp-backchannel-rpinitlogout-wrong-iss': noServer,
  [`${fapiPrefix}ensure-jarm-without-iss-fails`]: noJarm,
  [`${fapiPrefix}ensure-jarm-with-invalid-iss-fails`]: noJarm,
  [`${fapiPrefix}ensure-jarm-without-aud-fails`]: noJarm,
  [`${fapiPrefix}ensure-jarm-with-invalid-aud-fails`]: noJarm,
  [`${fapiPrefix}ensure-jarm-without-exp-fails`]: noJarm,
  [`${fapiPrefix}ensure-jarm-with-expired-exp-fails`]: noJarm,
  [`${fapiPrefix}ensure-jarm-with-invalid-sig-fails`]: noJarm,
  [`${fapiPrefix}ensure-jarm-signature-is-not-none`]: noJarm,
  [`${fapiPrefix}invalid-openbanking-intent-id`]: 'It tests the profile of the British banks.',
  'fapi2-security-profile-final-client-brazildcr-happypath-test':
    'It tests the profile of the Brazilian banks.',
};

test.each(Object.entries({ ...openid, ...fapiModules }))(
  'conformance module %s passes',
  async (_module, run) => {
    await run();
  },
);

test('every module of the suite is either run or listed as not applicable', () => {
  const run = [...Object.keys(openid), ...Object.keys(fapiModules)];
  const known = [...run, ...Object.keys(notApplicable)];
  expect(new Set(known).size).toBe(known.length);
  expect(known.filter((module) => module.startsWith('oidcc-client-test'))).toHaveLength(57);
  expect(known.filter((module) => module.startsWith('fapi2-security-profile-final-client-'))).toHaveLength(
    33,
  );
  expect(run).toHaveLength(53);
});
