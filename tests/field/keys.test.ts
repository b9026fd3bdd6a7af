// Key sets and discovery documents as real providers have published them, each with the report that tells of it. The worker and the doctor
// read the same ones, and have to agree.

import type { JWK } from 'jose';
import { beforeEach, expect, test, vi } from 'vitest';
import { importAsChrome } from '../support/chrome-import.ts';
import { bad, examine } from '../support/doctor-scene.ts';
import { json } from '../support/healthy-provider.ts';
import {
  createScriptedProvider,
  createSigningKey,
  type Script,
  type SigningKey,
} from '../support/scripted-provider.ts';

const rsa = await createSigningKey('key-1', 'RS256');
const stranger = await createSigningKey('key-1', 'RS256');
const okp = await createSigningKey('key-1', 'Ed25519');

const toBytes = (text = '') => Buffer.from(text, 'base64url');
const withZero = (text = '') => Buffer.concat([Buffer.of(0), toBytes(text)]).toString('base64url');
const withoutZeros = (text = '') => {
  const bytes = toBytes(text);
  return bytes.subarray(bytes.findIndex((byte) => byte !== 0)).toString('base64url');
};

/** A key of this curve, one of whose coordinates begins with a zero byte. */
async function createShortKey(): Promise<SigningKey> {
  for (;;) {
    const key = await createSigningKey('key-1', 'ES256');
    if (toBytes(key.jwk.x)[0] === 0 || toBytes(key.jwk.y)[0] === 0) return key;
  }
}
const short = await createShortKey();

const without = (jwk: JWK, ...names: readonly string[]) =>
  Object.fromEntries(Object.entries(jwk).filter(([name]) => !names.includes(name)));

interface More {
  readonly signingKey?: SigningKey;
  /** The whole key set, if it isn't an object with the entries. */
  readonly answer?: object;
  /** Members of the discovery document. */
  readonly document?: Readonly<Record<string, unknown>>;
  /** The token's header, if it differs from the signing key's. */
  readonly kid?: string | null;
}

type Case = readonly [source: string, keys: readonly unknown[], more?: More];

const padded = { ...rsa.jwk, n: `${rsa.jwk.n}==` };
const secp256k1 = { kty: 'EC', crv: 'secp256k1', alg: 'ES256K', use: 'sig', kid: 'k1', x: 'AA', y: 'AA' };

const accepted: Readonly<Record<string, Case>> = {
  'an entry without a key type': ['RFC 7517 section 5', [{ kid: 'x' }, rsa.jwk]],
  'an empty entry, a null, a text and a list': ['RFC 7517 section 5', [{}, null, 'x', [], rsa.jwk]],
  'a key type that is a number': ['RFC 7517 section 5', [{ kty: 7 }, rsa.jwk]],
  'a bare list of keys': ['micronaut-projects/micronaut-core#1348', [rsa.jwk], { answer: [rsa.jwk] }],
  'an object where the list of keys belongs': [
    'simplesamlphp/simplesamlphp-module-oidc#40',
    [rsa.jwk],
    { answer: { keys: { 0: rsa.jwk } } },
  ],
  'one key where the list of keys belongs': [
    'anvilresearch/connect#161',
    [rsa.jwk],
    { answer: { keys: rsa.jwk } },
  ],
  'a member of its own beside the keys': [
    'uruk-project/Jwt#427',
    [rsa.jwk],
    { answer: { keys: [rsa.jwk], SkipUnresolvedJsonWebKeys: true } },
  ],
  'a curve that libraries do not know': ['ory/kratos#4572', [secp256k1, rsa.jwk]],
  'keys for Ed448 and X448 without an algorithm': [
    'coreos/go-oidc#498',
    [
      { kty: 'OKP', use: 'sig', crv: 'Ed448', kid: 'a', x: 'AA' },
      { kty: 'OKP', crv: 'X448', kid: 'key-1', x: 'AA' },
      rsa.jwk,
    ],
  ],
  'a key of a post-quantum algorithm': [
    'go-jose/go-jose#276',
    [{ kty: 'AKP', alg: 'ML-DSA-44', kid: 'key-1', pub: 'AA' }, rsa.jwk],
  ],
  'a name in place of an algorithm that no standard has': [
    'GluuFederation/oxAuth#4',
    [{ ...rsa.jwk, alg: 'RSA' }],
  ],
  'an encryption key first': [
    'jenkinsci/oic-auth-plugin#304',
    [{ ...stranger.jwk, alg: 'RSA-OAEP', use: 'enc' }, without(rsa.jwk, 'alg')],
  ],
  'a key without use': ['auth0/node-jwks-rsa#24', [without(rsa.jwk, 'use', 'alg')]],
  'members that are null or empty': [
    'auth0/node-jwks-rsa#24',
    [{ ...rsa.jwk, use: '', alg: null, key_ops: [] }],
  ],
  'key_ops that are one text': ['RFC 7517 section 4.3', [{ ...rsa.jwk, key_ops: 'verify' }]],
  'the same key twice': [
    'https://learn.microsoft.com/entra/identity-platform/access-tokens#validate-tokens',
    [rsa.jwk, { ...rsa.jwk, issuer: 'https://other.example' }],
  ],
  'two RSA keys with one kid': ['latchset/jwcrypto#268', [stranger.jwk, rsa.jwk]],
  'one kid for two algorithms': ['keycloak/keycloak#15114', [{ ...rsa.jwk, alg: 'RS512' }, rsa.jwk]],
  'no kid, neither in the token nor in two keys': [
    'jpadilla/pyjwt#1072',
    [without(stranger.jwk, 'kid'), without(rsa.jwk, 'kid')],
    { kid: null },
  ],
  'a kid in the token and none in the keys': ['google/jwt_verify_lib#65', [without(rsa.jwk, 'kid')]],
  'a kid in the keys and none in the token': [
    'auth0/node-jwks-rsa#101',
    [stranger.jwk, rsa.jwk],
    { kid: null },
  ],
  'a kid that is a number': ['jpadilla/pyjwt#1072', [{ ...rsa.jwk, kid: 1 }], { kid: '1' }],
  'a modulus with padding': ['kjur/jsrsasign#591', [padded]],
  'a modulus with commas as padding': [
    'OpenIDC/mod_auth_openidc#229',
    [{ ...without(rsa.jwk, 'kid'), n: `${rsa.jwk.n},,` }],
    { kid: null },
  ],
  'a modulus in standard base64': [
    'grafana/k6#4814',
    [{ ...rsa.jwk, n: toBytes(rsa.jwk.n).toString('base64') }],
  ],
  'a modulus with line breaks': [
    'RFC 2045 section 6.8',
    [{ ...rsa.jwk, n: toBytes(rsa.jwk.n).toString('base64').replaceAll(/.{76}/g, '$&\r\n') }],
  ],
  'a modulus with a sign byte': ['cloudfoundry/uaa#449', [{ ...rsa.jwk, n: withZero(rsa.jwk.n) }]],
  'a modulus with a sign byte and padding': [
    'MicahParks/jwkset#23',
    [{ ...rsa.jwk, n: `${withZero(rsa.jwk.n)}=` }],
  ],
  'a coordinate without its zero byte': [
    'keycloak/keycloak#14933',
    [{ ...short.jwk, x: withoutZeros(short.jwk.x), y: withoutZeros(short.jwk.y) }],
    { signingKey: short },
  ],
  'coordinates with a sign byte': [
    'GluuFederation/oxAuth#1595',
    [{ ...short.jwk, x: withZero(short.jwk.x), y: withZero(short.jwk.y) }],
    { signingKey: short },
  ],
  'Ed25519 by its older name': [
    'damienbod/angular-auth-oidc-client#2078',
    [{ ...okp.jwk, alg: 'EdDSA' }],
    { signingKey: okp, document: { id_token_signing_alg_values_supported: ['EdDSA'] } },
  ],
  'an algorithm that does not exist in the document': [
    'rohe/oidctest#84',
    [rsa.jwk],
    { document: { id_token_signing_alg_values_supported: ['S256'] } },
  ],
  'one text where the document has a list': [
    'nodeSolidServer/node-solid-server#1599',
    [rsa.jwk],
    {
      document: {
        id_token_signing_alg_values_supported: 'RS256',
        token_endpoint_auth_methods_supported: 'none',
        dpop_signing_alg_values_supported: 'ES256',
        authorization_response_iss_parameter_supported: 'true',
      },
    },
  ],
  'members of other types that are not needed': [
    'AzureAD/azure-activedirectory-identitymodel-extensions-for-dotnet#3177',
    [rsa.jwk],
    {
      document: {
        acr_values_supported: 'urn:acr',
        dpop_signing_alg_values_supported: 7,
        require_pushed_authorization_requests: 'no',
        authorization_response_iss_parameter_supported: {},
        end_session_endpoint: null,
        userinfo_endpoint: [],
        scopes_supported: null,
      },
    },
  ],
};

const rejected: Readonly<Record<string, Case>> = {
  'nothing but a certificate': [
    'zmartzone/lua-resty-openidc#145',
    [{ kty: 'RSA', kid: 'key-1', use: 'sig', x5c: ['MIIB'] }],
  ],
  'nothing but PEM': [
    'cloudfoundry/uaa#449',
    [{ ...without(rsa.jwk, 'n'), value: '-----BEGIN PUBLIC KEY-----' }],
  ],
  'the private part of the key': ['RFC 7517 section 9.2', [{ ...rsa.jwk, d: 'AA' }]],
  'an exponent of one': ['RFC 8017 section 3.1', [{ ...rsa.jwk, e: 'AQ' }]],
  'an even modulus': [
    'RFC 8017 section 3.1',
    [{ ...rsa.jwk, n: Buffer.concat([toBytes(rsa.jwk.n).subarray(1), Buffer.of(2)]).toString('base64url') }],
  ],
  'an exponent that Chrome refuses': [
    'https://boringssl.googlesource.com/boringssl/+/HEAD/crypto/rsa/rsa_impl.cc',
    [{ ...rsa.jwk, e: toBytes('AQAB').toString('base64url') + 'AQABAQAB' }],
  ],
  'a coordinate that is too long': [
    'RFC 7518 section 6.2.1.2',
    [{ ...short.jwk, x: `AQ${withZero(short.jwk.x)}` }],
    { signingKey: short },
  ],
  'a key for encryption alone': ['RFC 7517 section 4.2', [{ ...rsa.jwk, use: 'enc' }]],
  'a key for signing alone': ['RFC 7517 section 4.3', [{ ...rsa.jwk, key_ops: ['sign'] }]],
  'a key of another algorithm': ['RFC 7517 section 4.4', [{ ...rsa.jwk, alg: 'PS512' }]],
  'no key at all': ['RFC 7517 section 5', []],
};

/** Signs in at a provider that publishes this. */
function signIn(keys: Case[1], { signingKey = rsa, answer = { keys }, document, kid }: More) {
  const { alg = 'RS256' } = signingKey.jwk;
  const signs = {
    ...signingKey,
    jwk: without({ ...signingKey.jwk, ...(kid && { kid }) }, kid === null ? 'kid' : ''),
  };
  const script: Script = {
    signingKey: signs,
    answers: { '/keys': answer },
    metadata: { id_token_signing_alg_values_supported: [alg], ...document },
  };
  return createScriptedProvider(script).signIn();
}

/** The codes of what the doctor finds wrong with the document and the keys. */
async function consult(keys: Case[1], { signingKey = rsa, answer = { keys }, document }: More) {
  const algorithms = [signingKey.jwk.alg];
  const { report } = await examine({
    document: { id_token_signing_alg_values_supported: algorithms, ...document },
    answers: { 'https://id.acme.example/keys': json(answer) },
  });
  const codes: readonly string[] = ['keys-unusable', 'discovery-unusable', 'host-missing', 'algorithms'];
  return bad(report).flatMap(({ code, severity }) =>
    severity === 'error' && codes.includes(code) ? [code] : [],
  );
}

beforeEach(() => {
  vi.spyOn(crypto.subtle, 'importKey').mockImplementation(importAsChrome);
});

test.each(Object.entries(accepted))(
  'a provider with %s signs people in, and the doctor finds no mistake',
  async (_what, [, keys, more = {}]) => {
    await expect(signIn(keys, more)).resolves.toMatchObject({ profile: { subject: 'ada' } });
    expect(await consult(keys, more)).toEqual([]);
  },
);

test.each(Object.entries(rejected))(
  'a provider with %s signs no one in, and the doctor says why',
  async (_what, [, keys, more = {}]) => {
    await expect(signIn(keys, more)).rejects.toMatchObject({ code: 'response-rejected' });
    expect(await consult(keys, more)).toEqual(['keys-unusable']);
  },
);
