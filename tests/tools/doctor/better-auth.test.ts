// The doctor at a real provider of another make. It looks at the code before the client, describes redirects as JSON to those
// who ask for that, and doesn't list that clients need no secret.

import { afterAll, expect, test } from 'vitest';
import { examineProvider } from '../../../tools/doctor/examine.ts';
import { network } from '../../../tools/doctor/world.ts';
import { redirectUris } from '../../../tools/redirect-uris.ts';
import { startBetterAuthServer } from '../../support/better-auth-server.ts';
import { acme, bad, broken, configure, identity, ids, type Settings } from '../../support/doctor-scene.ts';

const server = await startBetterAuthServer({ redirectUris: Object.values(redirectUris(identity, acme.id)) });
afterAll(() => server.close());

function examine(settings: Settings = {}) {
  const { issuer, clientId } = server;
  const provider = configure({ issuer, clientId, ...settings });
  return examineProvider({ profileName: null, ids, profiles: [], provider, network });
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
  const good = report.findings.filter(({ severity }) => severity === 'ok');
  expect(good.map(({ text }) => text).join(' ')).not.toMatch(/client/i);
});
