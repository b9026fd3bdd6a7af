// The form of each profile, those of the team included.

import { describe, expect, test } from 'vitest';
import { checkIssuer } from '../../src/config/url.ts';
import type { Profile } from '../../src/providers/profile.ts';
import { loadProfiles } from '../../tools/build/profiles.ts';
import { toFacts, type DatedFact } from '../../tools/profile-outline.ts';
import { readConfig } from '../support/samples.ts';

const all = loadProfiles();

/** An issuer with a value in each place where the example has "<…>". */
const toIssuer = ({ issuers }: Profile) =>
  issuers.example.replaceAll(/<([^>]+)>/g, (_placeholder, part: string) =>
    part.endsWith(' id') ? '11111111-2222-4333-8444-555555555555' : 'acme',
  );

describe.each(all)('the profile $name', ({ name, profile }) => {
  test('has an example of an issuer that the configuration takes', () => {
    expect(checkIssuer(toIssuer(profile))).toBeNull();
  });

  test('is recognized by its issuer, which is none of its mistakes', () => {
    const { patterns, mistakes } = profile.issuers;
    const issuer = toIssuer(profile);
    expect(patterns.length === 0 || patterns.some((pattern) => pattern.test(issuer))).toBe(true);
    expect(mistakes.filter(({ pattern }) => pattern.test(issuer))).toEqual([]);
  });

  test('is the only one with this issuer', () => {
    const issuer = toIssuer(profile);
    const others = all.filter(({ profile: { issuers } }) =>
      issuers.patterns.some((pattern) => pattern.test(issuer)),
    );
    expect(others.map((other) => other.name).filter((other) => other !== name)).toEqual([]);
  });

  test('has patterns that keep no state from one issuer to the next', () => {
    const { patterns, mistakes } = profile.issuers;
    const found = [...patterns, ...mistakes.map(({ pattern }) => pattern)];
    expect(found.filter(({ flags }) => /[gy]/.test(flags))).toEqual([]);
  });

  test('uses no placeholder but those for redirect URIs, origin and scopes', () => {
    const found = profile.registration.steps.flatMap((step) => step.match(/\{[^}]*\}/g) ?? []);
    const known = ['{redirectUri:chrome}', '{redirectUri:firefox}', '{origin:chrome}', '{scopes}'];
    const example = '{ "tid": ["<tenant id>"] }';
    expect(found.filter((part) => part !== example && !known.includes(part))).toEqual([]);
  });

  test('names where each fact comes from, and when', () => {
    expect(profile.facts.length).toBeGreaterThan(0);
    expect(toFacts(profile).filter((fact) => !isDated(fact))).toEqual([]);
  });
});

const usable = all.flatMap(({ name, profile }) => (profile.use === 'preset' ? [{ name, profile }] : []));

describe.each(usable)('the usable profile $name', ({ profile }) => {
  const { settings, asks } = profile;

  test('says where to register the redirect URIs of both browsers', () => {
    const text = profile.registration.steps.join(' ');
    for (const part of ['{redirectUri:chrome}', '{redirectUri:firefox}', '"clientId"'])
      expect(text).toContain(part);
  });

  test('has an issuer or asks for it', () => {
    expect(settings.issuer !== undefined || asks.some(({ setting }) => setting === 'issuer')).toBe(true);
    expect(asks.filter(({ setting }) => setting in settings)).toEqual([]);
  });

  test('has settings that the configuration takes', () => {
    const own = { id: 'acme', name: 'Acme', clientId: 'abc', profile: 'acme' };
    const { providers } = readConfig(
      { providers: [{ issuer: toIssuer(profile), ...own, ...settings }] },
      { names: () => ['acme'], find: () => ({ ...profile, asks: [] }) },
    );
    expect(providers[0]).toMatchObject(settings);
  });
});

test.each(all.filter(({ profile }) => profile.registration.origins !== undefined))(
  '$name says in a step and in a limit that the origin is to be registered, or in neither',
  ({ profile: { registration, limits } }) => {
    const isChecked = registration.origins !== 'any';
    expect(registration.steps.join(' ').includes('{origin:chrome}')).toBe(isChecked);
    expect(limits.some(({ kind }) => kind === 'origin-checked')).toBe(isChecked);
  },
);

const tenant = '11111111-2222-4333-8444-555555555555';

test.each([
  ['https://login.microsoftonline.com/common/v2.0', 'entra-common', null],
  ['https://login.microsoftonline.com/common', 'entra-common', 'Add "/v2.0"'],
  ['https://login.microsoftonline.com/organizations/v2.0', 'entra-organizations', null],
  ['https://login.microsoftonline.com/organizations', 'entra-organizations', 'Add "/v2.0"'],
  ['https://login.microsoftonline.com/consumers/v2.0', 'entra-consumers', 'Write "9188040d-'],
  ['https://login.live.com', 'entra-consumers', 'That is the old address.'],
  [`https://login.microsoftonline.com/${tenant}/v2.0`, 'entra', null],
  [`https://login.microsoftonline.com/${tenant}`, 'entra', 'Add "/v2.0"'],
  [`https://login.microsoftonline.com/${tenant}/v2.0/`, 'entra', 'Remove the slash'],
  [`https://login.microsoftonline.com/${tenant}/oauth2/v2.0/authorize`, 'entra', 'That is an endpoint.'],
  ['https://login.microsoftonline.com/contoso.onmicrosoft.com/v2.0', 'entra', 'Write the id of the tenant'],
  [`https://sts.windows.net/${tenant}/`, 'entra', 'That is the issuer of version 1.'],
  [`https://contoso.ciamlogin.com/${tenant}/v2.0`, 'entra-external-id', 'Write the id of the tenant'],
  ['https://a.b2clogin.com/a.onmicrosoft.com/b2c_1_a/v2.0/', 'azure-b2c', 'That is the path of a policy.'],
  [`https://contoso.b2clogin.com/${tenant}/v2.0`, 'azure-b2c', 'Add a slash'],
  ['https://acme.auth0.com', 'auth0', 'Add a slash'],
  ['https://acme.eu.auth0.com/', 'auth0', null],
  ['https://acme.auth0.com/authorize', 'auth0', 'That is an endpoint.'],
  ['https://acme-admin.okta.com', 'okta', 'That is the admin console.'],
  ['https://acme.okta.com/oauth2/default/v1/authorize', 'okta', 'That is an endpoint.'],
  ['https://acme.okta.com', 'okta', null],
  ['https://id.example.com/auth/realms/acme', 'keycloak', null],
  ['https://id.example.com/realms/acme/', 'keycloak', 'Remove the slash'],
  ['https://id.example.com/realms/acme/protocol/openid-connect/auth', 'keycloak', 'That is an endpoint.'],
  ['https://id.example.com/admin/master/console', 'keycloak', 'That is the admin console.'],
  ['https://acme.auth.eu-west-1.amazoncognito.com', 'cognito', 'That is the domain'],
  ['https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_A/', 'cognito', 'Remove the slash'],
  ['https://gitlab.com/', 'gitlab', 'Remove the slash'],
  ['https://gitlab.acme.example', 'gitlab', null],
  ['https://gitlab.acme.example/oauth/authorize', 'gitlab', 'That is an endpoint.'],
  ['https://discord.com/api/v10', 'discord', 'The issuer is "https://discord.com"'],
  ['https://acme.zitadel.cloud/', 'zitadel', 'Remove the slash'],
  ['https://id.example.com/application/o/acme', 'authentik', 'Add a slash'],
  ['https://id.example.com/application/o/authorize/', 'authentik', 'That is an endpoint.'],
  ['https://auth.pingone.eu/environment', 'pingone', 'Add "/as"'],
  ['https://id.example.com/dex/', 'dex', 'Remove the slash'],
  ['https://app.example.com/api/auth/', 'better-auth', 'Remove the slash'],
  ['https://app.example.com/api/auth/oauth2/token', 'better-auth', 'That is an endpoint.'],
  ['https://acme.logto.app', 'logto', 'Add "/oidc"'],
  ['https://login.salesforce.com', 'salesforce', null],
  ['https://test.salesforce.com', 'salesforce', null],
  ['https://acme--dev.sandbox.my.salesforce.com', 'salesforce', null],
  ['https://acme.my.salesforce.mil', 'salesforce', null],
  ['https://login.microsoftonline.us/organizations/v2.0', 'entra-organizations', null],
  ['https://login.partner.microsoftonline.cn/common/v2.0', 'entra-common', null],
  ['https://login.microsoftonline.us/11111111-2222-3333-4444-555555555555/v2.0', 'entra', null],
  ['https://acme.okta-gov.com', 'okta', null],
  ['https://acme.okta.mil/oauth2/default', 'okta', null],
  ['https://sandbox.orcid.org', 'orcid', null],
  ['https://zoomgov.com', 'zoom', null],
  ['https://acme.accounts400.ondemand.com', 'sap', null],
  ['https://cognito-idp-fips.us-gov-west-1.amazonaws.com/us-gov-west-1_Ab1', 'cognito', null],
  ['https://abc.supabase.co', 'supabase', 'Add "/auth/v1"'],
  ['https://abc.supabase.co/auth/v1', 'supabase', null],
  ['https://auth.example.com/auth/v1/', 'rauthy', null],
  ['https://auth.example.com/auth/v1/oidc/authorize', 'rauthy', 'That is an endpoint.'],
  ['https://idm.example.com/oauth2/openid/app/', 'kanidm', 'Remove the slash'],
  ['https://idm.example.com/ui/oauth2', 'kanidm', 'That is an endpoint.'],
  ['https://gitea.example.com/', 'gitea', null],
  ['https://gitea.example.com/login/oauth/authorize', 'gitea', 'That is an endpoint.'],
  ['https://codeberg.org/', 'forgejo', 'Remove the slash'],
  ['https://openstreetmap.org', 'openstreetmap', 'The issuer is "https://www.openstreetmap.org".'],
  ['https://apis.roblox.com/oauth', 'roblox', 'The issuer is "https://apis.roblox.com/oauth/"'],
  ['https://acme.accounts.ondemand.com/', 'sap', 'Remove the slash'],
  ['https://acme.accounts.cloud.sap', 'sap', null],
  ['https://api.asgardeo.io/t/acme', 'wso2', 'The issuer is "https://api.asgardeo.io/t/'],
  ['https://id.example.com/oauth2/token', 'wso2', null],
  ['https://acme.cloudflareaccess.com', 'cloudflare-access', 'The issuer is "https://<team>'],
  ['https://api.vercel.com/login/oauth', 'vercel', 'That is an endpoint.'],
  ['https://orcid.org/', 'orcid', 'The issuer is "https://orcid.org"'],
  ['https://acme.kinde.com/oauth2/auth', 'kinde', 'The issuer is the domain'],
  ['https://oauth.id.jumpcloud.com', 'jumpcloud', 'Add a slash at the end'],
  ['https://oauth.id.eu.jumpcloud.com/oauth2/auth', 'jumpcloud', 'That is an endpoint'],
  ['https://acme.onelogin.com', 'onelogin', 'The issuer ends with "/oidc/2"'],
  ['https://acme.onelogin.com/oidc/2/auth', 'onelogin', 'That is an endpoint'],
  ['https://api-abcdef01.duosecurity.com', 'duo', "That's a different Duo host"],
  ['https://sso-abcdef01.sso.duosecurity.com/oidc', 'duo', 'The issuer ends with the client id'],
  ['https://acme.forgeblocks.com/am', 'forgerock', 'The issuer ends with the realm'],
  ['https://api.stytch.com/v1/public/project-1', 'stytch', 'That is the API of all projects'],
  ['https://accounts.google.com/o/oauth2/v2/auth', 'google', 'The issuer is "https://accounts.google.com"'],
  ['https://token.actions.githubusercontent.com', 'github', 'That issuer is for the jobs'],
])('%s is one of %s, with the advice %j', (issuer, name, advice) => {
  const found = all.filter(({ profile }) => profile.issuers.patterns.some((pattern) => pattern.test(issuer)));
  expect(found.map((one) => one.name)).toEqual([name]);
  const mistake = found[0]?.profile.issuers.mistakes.find(({ pattern }) => pattern.test(issuer));
  if (advice === null) expect(mistake).toBeUndefined();
  else expect(mistake?.advice.slice(0, advice.length)).toBe(advice);
});

function isDated({ source = 'https://none', date }: DatedFact): boolean {
  return /^https:\/\/\S+$/.test(source) && /^20\d\d-\d\d(-\d\d)?$/.test(date);
}
