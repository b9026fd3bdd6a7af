// A whole session at the shape of each provider, with the settings of its profile. The shapes were written from what is
// documented: they show that the profile fits what was read, not that the provider behaves so.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig, type ConfigReading, type Provider } from '../../src/config/config.ts';
import { codeFlow } from '../../src/oidc/code-flow.ts';
import { createProviderClient } from '../../src/oidc/http.ts';
import type { PresetProfile } from '../../src/providers/profile.ts';
import { loadProfiles, profiles } from '../../tools/build/profiles.ts';
import { pagesFolder } from '../../tools/providers.ts';
import { startDemoProvider } from '../../tools/demo-provider/provider.ts';
import { signInOverHttp } from '../support/http-browser.ts';
import { takeJourney } from '../support/shape-server/journey.ts';
import type { Outcome, Shape } from '../support/shape-server/shape.ts';
import { toWorld } from '../support/scripted-provider.ts';
import { clientId, redirectUri } from '../support/shape-server/shape-server.ts';
import { shapes } from '../support/shape-server/shapes.ts';
import { signInBy } from '../support/sign-in.ts';

function presetOf(name: string): PresetProfile {
  const profile = profiles.find(name);
  if (profile?.use !== 'preset') throw new Error(`No configuration can use the profile "${name}".`);
  return profile;
}

/** The provider that a team configures, with a profile or a part of it. */
function read({ profile: name, team }: Shape, profile = presetOf(name)): ConfigReading {
  const own = { id: 'shape', name: 'Shape', clientId, profile: name, ...team };
  const known = { names: () => [name], find: () => profile };
  return readConfig({ providers: [own] }, known);
}

function configure(shape: Shape): Provider {
  const reading = read(shape);
  if (reading.outcome === 'read') return reading.config.providers[0]!;
  throw new Error(JSON.stringify(reading.mistakes));
}

const outcomes = new Map(
  await Promise.all(
    shapes.map(async (shape) => [shape.profile, await takeJourney(shape, configure(shape))] as const),
  ),
);

/** The columns of outcomes.txt, with their widths. */
const columns = {
  signIn: 11,
  userInfo: 10,
  anotherAccount: 16,
  renewal: 9,
  spentToken: 12,
  silentSignIn: 15,
  revocation: 13,
  logout: 11,
  leftOut: 9,
  refreshTokenSeconds: 0,
} as const satisfies Record<keyof Outcome, number>;

const toRow = (name: string, outcome: Readonly<Record<string, unknown>>) =>
  [name.padEnd(21), ...Object.entries(columns).map(([key, width]) => String(outcome[key]).padEnd(width))]
    .join('')
    .trimEnd();

/** Other flows than that of the shape server: see other-flows.test.ts. */
const otherFlows = ['deviceFlow', 'responseType', 'userApi'];

test('every profile of the code flow that has a page, and that a configuration can use, has a shape', () => {
  const usable = loadProfiles()
    .filter(({ profile }) => profile.use === 'preset' && !otherFlows.some((key) => key in profile.settings))
    .map(({ name }) => name)
    .filter((name) => existsSync(resolve(import.meta.dirname, `../../${pagesFolder}/${name}.md`)));
  expect(shapes.map(({ profile }) => profile).toSorted()).toEqual(usable);
});

test('with every profile a user signs in, stays signed in and signs out as outcomes.txt says', async () => {
  const names = Object.fromEntries(Object.keys(columns).map((key) => [key, key]));
  const rows = [...outcomes].map(([profile, outcome]) => toRow(profile, { ...outcome }));
  await expect([toRow('', names), ...rows, ''].join('\n')).toMatchFileSnapshot('outcomes.txt');
});

test.each([...outcomes])('%s: the page names what the session lacks', (profile, { revocation, logout }) => {
  const kinds = presetOf(profile).limits.map(({ kind }) => kind);
  expect(kinds.includes('no-revocation')).toBe(revocation === 'unsupported');
  expect(kinds.includes('no-logout')).toBe(logout === 'none');
});

const shapeOf = (name: string): Shape => {
  const shape = shapes.find(({ profile }) => profile === name);
  if (shape === undefined) throw new Error(`There is no shape "${name}".`);
  return shape;
};

const firefox = 'moz-extension://11111111-2222-4333-8444-555555555555';
const withOrigins = (wanted: readonly unknown[]) =>
  shapes.filter(({ profile }) => wanted.includes(presetOf(profile).registration.origins));

test.each(withOrigins(['listed', 'listed-or-any']).filter(({ origin }) => origin === 'listed'))(
  '$profile: an origin that is not registered ends the sign-in',
  async (shape) => {
    const outcome = await takeJourney(shape, configure(shape), firefox);
    expect(outcome.signIn).toBe(
      shape.originRefusal === undefined ? 'provider-misconfigured' : 'response-rejected',
    );
  },
);

test.each(withOrigins(['any']))(
  '$profile: a user signs in from an origin that is not registered',
  async (shape) => {
    expect(await takeJourney(shape, configure(shape), firefox)).toEqual(outcomes.get(shape.profile));
  },
);

test.each(['entra', 'entra-organizations', 'entra-external-id'])(
  '%s: a code that is redeemed without an origin is refused',
  async (name) => {
    const outcome = await takeJourney(shapeOf(name), configure(shapeOf(name)), null);
    expect(outcome.signIn).toBe('provider-misconfigured');
  },
);

test.each([
  ['of another client', { azp: 'client-2' }],
  ['without the name of the client', { azp: undefined }],
])('zitadel: an ID token %s is rejected in spite of its audience', async (_what, claims) => {
  const shape = shapeOf('zitadel');
  const changed = { ...shape, claims: { ...shape.claims, ...claims } };
  expect(await takeJourney(changed, configure(shape))).toMatchObject({ signIn: 'response-rejected' });
});

test('entra-organizations: an ID token of a tenant that did not sign it is rejected', async () => {
  const shape = shapeOf('entra-organizations');
  const other = 'https://login.microsoftonline.com/99999999-2222-4333-8444-555555555555/v2.0';
  for (const change of [{ tokenIssuer: other }, { keyMembers: { issuer: other } }]) {
    const outcome = await takeJourney({ ...shape, ...change }, configure(shape));
    expect(outcome.signIn).toBe('response-rejected');
  }
});

const asksNothing = { authorizationParameters: {} };
test.each<[name: string, what: string, Partial<Outcome>, Partial<Provider>?]>([
  ['authelia', 'lets no one in, because ID tokens have none', { signIn: 'not-permitted' }],
  ['supertokens', 'ends the session at the renewal, whose ID token has none', { renewal: 'ended' }],
  ['nextcloud', 'lets a user in, because the profile asks for it', { signIn: 'signed-in' }],
  ['nextcloud', 'lets no one in if nothing asks for it', { signIn: 'not-permitted' }, asksNothing],
])('%s: "allowed" with an e-mail %s', async (name, _what, outcome, change = {}) => {
  const provider = { ...configure(shapeOf(name)), allowed: { email: ['ada@example.com'] }, ...change };
  expect(await takeJourney(shapeOf(name), provider)).toMatchObject(outcome);
});

test('azure-b2c: a sign-in whose scope brings no access token is rejected', async () => {
  const shape = shapeOf('azure-b2c');
  const provider = { ...configure(shape), scope: 'openid offline_access' };
  expect(await takeJourney(shape, provider)).toMatchObject({ signIn: 'response-rejected' });
});

test('stytch: a redirect that names the project, not the domain, is rejected', async () => {
  const shape = { ...shapeOf('stytch'), redirectIssuer: 'stytch.com/project-1' };
  expect(await takeJourney(shape, configure(shape))).toMatchObject({ signIn: 'response-rejected' });
});

test('stytch: the setting of its page revokes the refresh token', async () => {
  const shape = shapeOf('stytch');
  const team = { ...shape.team, metadata: { revocation_endpoint: shape.unlistedRevocation } };
  expect(await takeJourney(shape, configure({ ...shape, team }))).toMatchObject({ revocation: 'revoked' });
});

test('the fragments that Google and Facebook append change nothing', async () => {
  const shape = shapeOf('ory');
  for (const fragment of ['#', '#_=_'] as const) {
    expect(await takeJourney({ ...shape, fragment }, configure(shape))).toEqual(outcomes.get('ory'));
  }
});

test('logto: its prompt brings a refresh token from oidc-provider, on which Logto is built', async () => {
  const demo = await startDemoProvider({ redirectUris: [redirectUri], consentForRefreshToken: true });
  try {
    const provider = { ...configure(shapeOf('logto')), issuer: demo.issuer, clientId: demo.clientId };
    const refreshTokenOf = (prompt: string | null) => signInAt({ ...provider, signInPrompt: prompt });
    expect(await refreshTokenOf(provider.signInPrompt)).toEqual(expect.any(String));
    expect(await refreshTokenOf(null)).toBeNull();
  } finally {
    await demo.close();
  }
});

/** Signs in over HTTP and returns the refresh token. */
async function signInAt(provider: Provider): Promise<string | null> {
  const client = createProviderClient(toWorld(fetch), provider);
  return (await signInBy(codeFlow, client, redirectUri, (url) => signInOverHttp(url))).tokens.refreshToken;
}

describe('each setting of a profile is needed', () => {
  const cases = shapes.flatMap((shape) =>
    Object.keys(presetOf(shape.profile).settings)
      .filter((setting) => shape.idleSettings?.includes(setting) !== true)
      .map((setting) => ({ shape, profile: shape.profile, setting })),
  );

  test.each(cases)(
    '$profile: without "$setting" the session ends otherwise',
    async ({ shape, profile, setting }) => {
      const { [setting as 'scope']: _left, ...settings } = presetOf(profile).settings;
      const reading = read(shape, { ...presetOf(profile), settings });
      // The setting may have no default.
      const outcome =
        reading.outcome === 'refused' ? reading : await takeJourney(shape, reading.config.providers[0]!);
      expect(outcome).not.toEqual(outcomes.get(profile));
    },
  );
});
