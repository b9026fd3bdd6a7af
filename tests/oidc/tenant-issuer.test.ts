// A provider with many tenants: a template in its metadata, and an issuer for each tenant.

import { expect, test } from 'vitest';
import { discover } from '../support/discover.ts';
import { findFailedClaim } from '../../src/oidc/problems.ts';
import { requestUserInfo } from '../../src/oidc/resource.ts';
import { renewTokens } from '../../src/oidc/renew.ts';
import {
  createScriptedProvider,
  createSigningKey,
  issuer,
  toMetadata,
  type Script,
} from '../support/scripted-provider.ts';

const template = `${issuer}/{tenantid}/v2.0`;
const [contoso, fabrikam] = ['11111111-2222-3333-4444-555555555555', '99999999-aaaa-bbbb-cccc-dddddddddddd'];
const issuerOf = (tenant: string) => `${issuer}/${tenant}/v2.0`;
const elsewhere = 'https://evil.example';
const { authorization_endpoint, token_endpoint, jwks_uri } = toMetadata(issuer);
const endpoints = { authorization_endpoint, token_endpoint, jwks_uri };

const signingKey = await createSigningKey();

/** A provider as Microsoft Entra is for several tenants, and a user of `contoso`. */
const entra = (script: Script = {}): Script => ({
  signingKey,
  ...script,
  provider: { issuerTemplate: template, ...script.provider },
  metadata: { issuer: template, authorization_response_iss_parameter_supported: false, ...script.metadata },
  claims: { iss: issuerOf(contoso), tid: contoso, ...script.claims },
  redirect: script.redirect ?? ((url) => void url.searchParams.delete('iss')),
});
const signIn = (script: Script = {}) => createScriptedProvider(entra(script)).signIn();

test('a user of any tenant signs in, with the issuer of the tenant', async () => {
  expect(await signIn()).toMatchObject({
    issuer: issuerOf(contoso),
    profile: { providerId: 'scripted', issuer: issuerOf(contoso), subject: 'ada' },
  });
  const claims = { iss: issuerOf(fabrikam), tid: fabrikam };
  expect(await signIn({ claims })).toMatchObject({ issuer: issuerOf(fabrikam) });
});

test('a provider with one issuer has no issuer in its profiles', async () => {
  expect((await createScriptedProvider().signIn()).profile).not.toHaveProperty('issuer');
});

test.each<[string, Record<string, unknown>, string]>([
  ['of another tenant', { iss: issuerOf(fabrikam) }, 'iss'],
  ['that is the template itself', { iss: template }, 'iss'],
  ['that is the template, for a tenant of that name', { iss: template, tid: '{tenantid}' }, 'tid'],
  ['that is the configured one', { iss: issuer }, 'iss'],
  ['on another host', { iss: `${elsewhere}/${contoso}/v2.0` }, 'iss'],
  ['with a slash at its end', { iss: `${issuerOf(contoso)}/` }, 'iss'],
  ['without a tenant', { tid: undefined }, 'tid'],
  ['for a tenant by name', { iss: issuerOf('contoso.example'), tid: 'contoso.example' }, 'tid'],
  ['for a tenant that leaves the path', { iss: issuerOf('..'), tid: '..' }, 'tid'],
  ['for an empty tenant', { iss: issuerOf(''), tid: '' }, 'tid'],
  ['for a tenant in a list', { tid: [contoso] }, 'tid'],
  ['for a tenant and a line break', { iss: issuerOf(`${contoso}\n`), tid: `${contoso}\n` }, 'tid'],
  ['for a tenant that replaces patterns', { iss: issuerOf("$'"), tid: "$'" }, 'tid'],
])('an ID token with an issuer %s is rejected', async (_title, claims, claim) => {
  const error = await signIn({ claims }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'response-rejected' });
  expect(findFailedClaim(error)).toMatchObject({ claim });
});

test.each<[string, unknown, 'accepted' | 'rejected']>([
  ['no issuer', undefined, 'accepted'],
  ['the template', template, 'accepted'],
  ['the tenant of the token', issuerOf(contoso), 'accepted'],
  ['another tenant', issuerOf(fabrikam), 'rejected'],
  ['another host', `${elsewhere}/{tenantid}/v2.0`, 'rejected'],
  ['null', null, 'rejected'],
])('a token signed by a key for %s (%s) is %s', async (_title, keyIssuer, expected) => {
  const jwk = { ...signingKey.jwk, ...(keyIssuer === undefined ? {} : { issuer: keyIssuer }) };
  const signedIn = signIn({ publishedKeys: () => [jwk] });
  if (expected === 'accepted') await expect(signedIn).resolves.toBeDefined();
  else await expect(signedIn).rejects.toMatchObject({ code: 'response-rejected' });
});

test('a key with an issuer of its own is used as before where there is one issuer', async () => {
  const publishedKeys = () => [{ ...signingKey.jwk, issuer: elsewhere }];
  await expect(createScriptedProvider({ signingKey, publishedKeys }).signIn()).resolves.toBeDefined();
});

test.each<[string, string, 'accepted' | 'rejected' | 'rejected before the token request']>([
  ['the tenant of the ID token', issuerOf(contoso), 'accepted'],
  ['another tenant', issuerOf(fabrikam), 'rejected'],
  ['the template', template, 'rejected before the token request'],
  ['another host', `${elsewhere}/${contoso}/v2.0`, 'rejected before the token request'],
])('a redirect that names %s (%s) is %s', async (_title, named, expected) => {
  const redirect = ({ searchParams }: URL) => searchParams.set('iss', named);
  const tenants = createScriptedProvider(entra({ redirect }));
  if (expected === 'accepted') await expect(tenants.signIn()).resolves.toBeDefined();
  else {
    const isLate = expected === 'rejected';
    const detail = isLate
      ? 'ID token: another issuer than that of the redirect [iss]'
      : 'redirect: the issuer of no tenant [iss]';
    await expect(tenants.signIn()).rejects.toMatchObject({ code: 'response-rejected', detail });
  }
  expect(tenants.paths().includes('/token')).toBe(expected !== 'rejected before the token request');
});

test('a redirect without an issuer is rejected if the provider advertises it', async () => {
  const metadata = { authorization_response_iss_parameter_supported: true };
  await expect(signIn({ metadata })).rejects.toMatchObject({ code: 'response-rejected' });
});

test.each([
  ['the template', template, 'accepted'],
  ['one tenant', issuerOf(contoso), 'accepted'],
  ['the configured issuer', issuer, 'rejected'],
  ['a tenant by name', issuerOf('contoso.example'), 'rejected'],
  ['another template', `${issuer}/{tenantid}`, 'rejected'],
  ['another host', `${elsewhere}/{tenantid}/v2.0`, 'rejected'],
  ['a tenant of another version', `${issuer}/${contoso}/v9.9`, 'rejected'],
])('a discovery document of %s (%s) is %s', async (_title, advertised, expected) => {
  const discovered = discover(createScriptedProvider(entra({ metadata: { issuer: advertised } })).client);
  if (expected === 'accepted') await expect(discovered).resolves.toMatchObject({ issuer: advertised });
  else {
    const detail = `discovery: its issuer is another one than ${template}, which is configured`;
    await expect(discovered).rejects.toMatchObject({ code: 'provider-misconfigured', detail });
  }
});

test('a discovery document of one tenant lets in no other tenant', async () => {
  const metadata = { issuer: issuerOf(contoso) };
  expect(await signIn({ metadata })).toMatchObject({ profile: { issuer: issuerOf(contoso) } });
  const claims = { iss: issuerOf(fabrikam), tid: fabrikam };
  await expect(signIn({ metadata, claims })).rejects.toMatchObject({ code: 'response-rejected' });
});

test('a template works with configured endpoints and no discovery', async () => {
  const metadata = { ...endpoints, id_token_signing_alg_values_supported: ['ES256'] };
  await expect(signIn({ provider: { metadata } })).resolves.toMatchObject({ issuer: issuerOf(contoso) });
});

test('without a template, a discovery document with one is rejected', async () => {
  const refused = createScriptedProvider({ metadata: { issuer: template } }).signIn();
  await expect(refused).rejects.toMatchObject({ code: 'provider-misconfigured' });
});

test('UserInfo keeps the issuer of the tenant in the profile', async () => {
  const provider = createScriptedProvider(entra());
  const { tokens, claims } = await provider.signIn();
  const metadata = await discover(provider.client);
  const profile = await requestUserInfo(provider.client, metadata, tokens, claims);
  expect(profile).toMatchObject({ issuer: issuerOf(contoso), picture: expect.any(String) });
});

test.each<[string, string, Record<string, unknown>, object?]>([
  ['the same tenant', 'renewed', {}],
  ['another tenant', 'rejected', { iss: issuerOf(fabrikam), tid: fabrikam }],
  ['the same issuer and another tenant', 'rejected', { tid: fabrikam }],
  ['no tenant', 'rejected', { tid: undefined }],
  ['the same tenant, signed by the key of another,', 'rejected', {}, { issuer: issuerOf(fabrikam) }],
])('a renewal with an ID token of %s is %s', async (_title, expected, claims, keyMembers = {}) => {
  const script = entra();
  const provider = createScriptedProvider(script);
  const { tokens, issuer: first } = await provider.signIn();
  script.claims = { ...script.claims, nonce: undefined, ...claims };
  const { client } = provider;
  const metadata = { ...(await discover(client)), sessionIssuer: first };
  const jwks = { keys: [{ kty: 'EC', ...signingKey.jwk, ...keyMembers }] };
  const refreshToken = tokens.refreshToken ?? '';
  const ada = { subject: 'ada', claims: null };
  const renewal = await renewTokens(client, metadata, async () => jwks, { ...tokens, refreshToken }, ada);
  expect(renewal.outcome).toBe(expected);
});
