// Key sets and discovery documents as real providers have published them, each with the report that tells of it. The worker and the doctor
// read the same ones, and have to agree.

import type { JWK } from 'jose';
import { beforeEach, describe, expect, test, vi } from 'vitest';
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

interface Case {
  readonly source: string;
  readonly signingKey?: SigningKey;
  /** The entries of the key set. */
  readonly keys: readonly unknown[];
  /** The whole key set, if it isn't an object with the entries. */
  readonly answer?: object;
  /** Members of the discovery document. */
  readonly document?: Readonly<Record<string, unknown>>;
  /** The token's header, if it differs from the signing key's. */
  readonly kid?: string | null;
}

const padded = { ...rsa.jwk, n: `${rsa.jwk.n}==` };
const secp256k1 = { kty: 'EC', crv: 'secp256k1', alg: 'ES256K', use: 'sig', kid: 'k1', x: 'AA', y: 'AA' };

const accepted: Readonly<Record<string, Case>> = {
  'an entry without a key type': { source: 'RFC 7517 section 5', keys: [{ kid: 'x' }, rsa.jwk] },
  'an empty entry, a null, a text and a list': {
    source: 'RFC 7517 section 5',
    keys: [{}, null, 'x', [], rsa.jwk],
  },
  'a key type that is a number': { source: 'RFC 7517 section 5', keys: [{ kty: 7 }, rsa.jwk] },
  'a bare list of keys': {
    source: 'micronaut-projects/micronaut-core#1348',
    keys: [rsa.jwk],
    answer: [rsa.jwk],
  },
  'an object where the list of keys belongs': {
    source: 'simplesamlphp/simplesamlphp-module-oidc#40',
    keys: [rsa.jwk],
    answer: { keys: { 0: rsa.jwk } },
  },
  'one key where the list of keys belongs': {
    source: 'anvilresearch/connect#161',
    keys: [rsa.jwk],
    answer: { keys: rsa.jwk },
  },
  'a member of its own beside the keys': {
    source: 'uruk-project/Jwt#427',
    keys: [rsa.jwk],
    answer: { keys: [rsa.jwk], SkipUnresolvedJsonWebKeys: true },
  },
  'a curve that libraries do not know': {
    source: 'ory/kratos#4572',
    keys: [secp256k1, rsa.jwk],
  },
  'keys for Ed448 and X448 without an algorithm': {
    source: 'coreos/go-oidc#498',
    keys: [
      { kty: 'OKP', use: 'sig', crv: 'Ed448', kid: 'a', x: 'AA' },
      { kty: 'OKP', crv: 'X448', kid: 'key-1', x: 'AA' },
      rsa.jwk,
    ],
  },
  'a key of a post-quantum algorithm': {
    source: 'go-jose/go-jose#276',
    keys: [{ kty: 'AKP', alg: 'ML-DSA-44', kid: 'key-1', pub: 'AA' }, rsa.jwk],
  },
  'a name in place of an algorithm that no standard has': {
    source: 'GluuFederation/oxAuth#4',
    keys: [{ ...rsa.jwk, alg: 'RSA' }],
  },
  'an encryption key first': {
    source: 'jenkinsci/oic-auth-plugin#304',
    keys: [{ ...stranger.jwk, alg: 'RSA-OAEP', use: 'enc' }, without(rsa.jwk, 'alg')],
  },
  'a key without use': {
    source: 'auth0/node-jwks-rsa#24',
    keys: [without(rsa.jwk, 'use', 'alg')],
  },
  'members that are null or empty': {
    source: 'auth0/node-jwks-rsa#24',
    keys: [{ ...rsa.jwk, use: '', alg: null, key_ops: [] }],
  },
  'key_ops that are one text': { source: 'RFC 7517 section 4.3', keys: [{ ...rsa.jwk, key_ops: 'verify' }] },
  'the same key twice': {
    source: 'https://learn.microsoft.com/entra/identity-platform/access-tokens#validate-tokens',
    keys: [rsa.jwk, { ...rsa.jwk, issuer: 'https://other.example' }],
  },
  'two RSA keys with one kid': {
    source: 'latchset/jwcrypto#268',
    keys: [stranger.jwk, rsa.jwk],
  },
  'one kid for two algorithms': {
    source: 'keycloak/keycloak#15114',
    keys: [{ ...rsa.jwk, alg: 'RS512' }, rsa.jwk],
  },
  'no kid, neither in the token nor in two keys': {
    source: 'jpadilla/pyjwt#1072',
    keys: [without(stranger.jwk, 'kid'), without(rsa.jwk, 'kid')],
    kid: null,
  },
  'a kid in the token and none in the keys': {
    source: 'google/jwt_verify_lib#65',
    keys: [without(rsa.jwk, 'kid')],
  },
  'a kid in the keys and none in the token': {
    source: 'auth0/node-jwks-rsa#101',
    keys: [stranger.jwk, rsa.jwk],
    kid: null,
  },
  'a kid that is a number': {
    source: 'jpadilla/pyjwt#1072',
    keys: [{ ...rsa.jwk, kid: 1 }],
    kid: '1',
  },
  'a modulus with padding': {
    source: 'kjur/jsrsasign#591',
    keys: [padded],
  },
  'a modulus with commas as padding': {
    source: 'OpenIDC/mod_auth_openidc#229',
    keys: [{ ...without(rsa.jwk, 'kid'), n: `${rsa.jwk.n},,` }],
    kid: null,
  },
  'a modulus in standard base64': {
    source: 'grafana/k6#4814',
    keys: [{ ...rsa.jwk, n: toBytes(rsa.jwk.n).toString('base64') }],
  },
  'a modulus with line breaks': {
    source: 'RFC 2045 section 6.8',
    keys: [{ ...rsa.jwk, n: toBytes(rsa.jwk.n).toString('base64').replaceAll(/.{76}/g, '$&\r\n') }],
  },
  'a modulus with a sign byte': {
    source: 'cloudfoundry/uaa#449',
    keys: [{ ...rsa.jwk, n: withZero(rsa.jwk.n) }],
  },
  'a modulus with a sign byte and padding': {
    source: 'MicahParks/jwkset#23',
    keys: [{ ...rsa.jwk, n: `${withZero(rsa.jwk.n)}=` }],
  },
  'a coordinate without its zero byte': {
    source: 'keycloak/keycloak#14933',
    signingKey: short,
    keys: [{ ...short.jwk, x: withoutZeros(short.jwk.x), y: withoutZeros(short.jwk.y) }],
  },
  'coordinates with a sign byte': {
    source: 'GluuFederation/oxAuth#1595',
    signingKey: short,
    keys: [{ ...short.jwk, x: withZero(short.jwk.x), y: withZero(short.jwk.y) }],
  },
  'Ed25519 by its older name': {
    source: 'damienbod/angular-auth-oidc-client#2078',
    signingKey: okp,
    keys: [{ ...okp.jwk, alg: 'EdDSA' }],
    document: { id_token_signing_alg_values_supported: ['EdDSA'] },
  },
  'an algorithm that does not exist in the document': {
    source: 'rohe/oidctest#84',
    keys: [rsa.jwk],
    document: { id_token_signing_alg_values_supported: ['S256'] },
  },
  'one text where the document has a list': {
    source: 'nodeSolidServer/node-solid-server#1599',
    keys: [rsa.jwk],
    document: {
      id_token_signing_alg_values_supported: 'RS256',
      token_endpoint_auth_methods_supported: 'none',
      dpop_signing_alg_values_supported: 'ES256',
      authorization_response_iss_parameter_supported: 'true',
    },
  },
  'members of other types that are not needed': {
    source: 'AzureAD/azure-activedirectory-identitymodel-extensions-for-dotnet#3177',
    keys: [rsa.jwk],
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
};

const rejected: Readonly<Record<string, Case>> = {
  'nothing but a certificate': {
    source: 'zmartzone/lua-resty-openidc#145',
    keys: [{ kty: 'RSA', kid: 'key-1', use: 'sig', x5c: ['MIIB'] }],
  },
  'nothing but PEM': {
    source: 'cloudfoundry/uaa#449',
    keys: [{ ...without(rsa.jwk, 'n'), value: '-----BEGIN PUBLIC KEY-----' }],
  },
  'the private part of the key': { source: 'RFC 7517 section 9.2', keys: [{ ...rsa.jwk, d: 'AA' }] },
  'an exponent of one': { source: 'RFC 8017 section 3.1', keys: [{ ...rsa.jwk, e: 'AQ' }] },
  'an even modulus': {
    source: 'RFC 8017 section 3.1',
    keys: [
      { ...rsa.jwk, n: Buffer.concat([toBytes(rsa.jwk.n).subarray(1), Buffer.of(2)]).toString('base64url') },
    ],
  },
  'an exponent that Chrome refuses': {
    source: 'https://boringssl.googlesource.com/boringssl/+/HEAD/crypto/rsa/rsa_impl.cc',
    keys: [{ ...rsa.jwk, e: toBytes('AQAB').toString('base64url') + 'AQABAQAB' }],
  },
  'a coordinate that is too long': {
    source: 'RFC 7518 section 6.2.1.2',
    signingKey: short,
    keys: [{ ...short.jwk, x: `AQ${withZero(short.jwk.x)}` }],
  },
  'a key for encryption alone': { source: 'RFC 7517 section 4.2', keys: [{ ...rsa.jwk, use: 'enc' }] },
  'a key for signing alone': { source: 'RFC 7517 section 4.3', keys: [{ ...rsa.jwk, key_ops: ['sign'] }] },
  'a key of another algorithm': { source: 'RFC 7517 section 4.4', keys: [{ ...rsa.jwk, alg: 'PS512' }] },
  'no key at all': { source: 'RFC 7517 section 5', keys: [] },
};

/** Signs in at a provider that publishes this. */
function signIn({ signingKey = rsa, keys, answer = { keys }, document, kid }: Case) {
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
async function consult({
  signingKey = rsa,
  keys,
  answer = { keys },
  document,
}: Case): Promise<readonly string[]> {
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

describe.each(Object.entries(accepted))('a provider with %s', (_what, given) => {
  test('signs people in', async () => {
    await expect(signIn(given)).resolves.toMatchObject({ profile: { subject: 'ada' } });
  });

  test('is no mistake for the doctor', async () => {
    expect(await consult(given)).toEqual([]);
  });
});

describe.each(Object.entries(rejected))('a provider with %s', (_what, given) => {
  test('signs no one in', async () => {
    await expect(signIn(given)).rejects.toMatchObject({ code: 'response-rejected' });
  });

  test('is a mistake for the doctor', async () => {
    expect(await consult(given)).toEqual(['keys-unusable']);
  });
});
