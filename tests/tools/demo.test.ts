import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Provider } from '../../src/config/config.ts';
import { startDemoProvider } from '../../tools/demo-provider/provider.ts';
import { describeOthers, readDemonstrated, startDemo, toBuildFolder } from '../../tools/demo.ts';
import { readManifest } from '../../tools/build/read-manifest.ts';
import { redirectUris } from '../../tools/redirect-uris.ts';
import { makeFolder } from '../support/folder.ts';
import { acme } from '../support/samples.ts';

const demo = {
  id: 'demo',
  name: 'Demo',
  issuer: 'http://localhost:4455',
  clientId: 'latchkey-demo',
  apiOrigins: ['http://localhost:4455', 'https://api.acme.example'],
  metadata: { userinfo_endpoint: 'http://localhost:4455/me' },
};

/** Reads a configuration with these providers, where `LATCHKEY_DEMO_PORT` is `port`. */
function read(port: string, ...providers: readonly object[]) {
  vi.stubEnv('LATCHKEY_DEMO_PORT', port);
  return readDemonstrated(join(makeFolder({ 'config.json': { providers } }), 'config.json'));
}

test('LATCHKEY_DEMO_PORT moves every address of the demo provider, and no other', async () => {
  const nearby = { ...acme, id: 'nearby', issuer: 'http://localhost:44556' };
  const { config, demo: moved } = read('4460', nearby, demo);
  expect(moved).toMatchObject({
    id: 'demo',
    issuer: 'http://localhost:4460',
    apiOrigins: expect.arrayContaining(['http://localhost:4460', 'https://api.acme.example']),
    metadata: { userinfo_endpoint: 'http://localhost:4460/me' },
  });
  expect(config.providers).toEqual([expect.objectContaining({ issuer: 'http://localhost:44556' }), moved]);
});

test('without LATCHKEY_DEMO_PORT, or without the demo provider, the configuration stays', async () => {
  expect(read('', demo).demo).toMatchObject(demo);
  expect(read('4460', acme).demo).toBeNull();
});

test('describeOthers gives the redirect URIs of all providers but the demo provider, for one browser', async () => {
  const { firefox } = redirectUris(readManifest(), acme.id);
  expect(describeOthers(read('4460', demo, acme), 'firefox').slice(1)).toEqual([
    `  Firefox:      ${firefox}`,
  ]);
  expect(describeOthers(read('', demo), 'chrome')).toEqual([]);
});

test('the builds for two ports have two folders, so that neither replaces the other', async () => {
  expect(toBuildFolder('chrome', read('4460', demo).demo)).toBe('chrome-4460');
  expect(toBuildFolder('chrome', read('', demo).demo)).toBe('chrome');
  expect(toBuildFolder('firefox', null)).toBe('firefox');
});

test('startDemo says that the port is taken, and what to do', async () => {
  const running = await startDemoProvider();
  onTestFinished(() => running.close());
  const { issuer } = running;
  const port = Number(new URL(issuer).port);
  const starting = startDemo({ id: 'demo', issuer } as unknown as Provider, () => {});
  await expect(starting).rejects.toThrow(`Port ${port} is taken. Stop the program there`);
  await expect(starting).rejects.toThrow(`set LATCHKEY_DEMO_PORT to another port, such as ${port + 1}.`);
});
