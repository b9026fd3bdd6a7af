// The doctor at a real provider of another make. It looks at the code before the client, describes redirects as JSON to those
// who ask for that, and doesn't list that clients need no secret.

import { afterAll, expect, test } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { examineProvider } from '../../../tools/doctor/examine.ts';
import { network } from '../../../tools/doctor/world.ts';
import { redirectUris } from '../../../tools/redirect-uris.ts';
import { startBetterAuthServer } from '../../support/better-auth-server.ts';
import { acme, bad, broken, identity, type Settings } from '../../support/doctor-scene.ts';

const server = await startBetterAuthServer({ redirectUris: Object.values(redirectUris(identity, acme.id)) });
afterAll(() => server.close());

async function examine(settings: Settings = {}) {
  const { issuer, clientId } = server;
  const [provider] = readConfig({ providers: [{ ...acme, issuer, clientId, ...settings }] }).providers;
  if (provider === undefined) throw new Error('The configuration has no provider.');
  const known = { profileName: null, identity, edgeId: null, knownProviders: {} };
  return examineProvider({ ...known, provider, network });
}

test('a sign-in that works has no warning', async () => {
  const report = await examine();
  expect(report.outlook).toEqual({ chrome: 'works', firefox: 'works' });
  expect(bad(report)).toEqual([]);
});

test.each([
  ['an unknown client', { clientId: 'another' }, 'client-unknown'],
  ['a redirect URI that is not registered', { id: 'another' }, 'redirect-uri-unknown'],
  ['an unknown scope', { scope: 'openid offline_access another' }, 'scope'],
  ['an unknown API', { resource: 'https://api.acme.example' }, 'request-refused'],
])('%s is named, and nothing else', async (_title, settings, code) => {
  const report = await examine(settings);
  expect(report.outlook).toEqual(broken);
  expect(new Set(bad(report).map((finding) => finding.code))).toEqual(new Set([code]));
});

test('the doctor says nothing of a client that was not looked at', async () => {
  const { findings } = await examine({ clientId: 'another' });
  const good = findings.filter(({ severity }) => severity === 'ok');
  expect(good.map(({ text }) => text).join(' ')).not.toMatch(/client/i);
});
