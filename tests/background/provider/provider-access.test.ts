import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { beforeEach, describe, expect, test } from 'vitest';
import { createProviderAccess, type ProviderAccess } from '../../../src/background/provider/provider.ts';
import { createDatabase, type WithDatabase } from '../../../src/background/record/database.ts';
import type { Provider } from '../../../src/config/provider.ts';
import { deferred } from '../../support/deferred.ts';
import type { Metadata } from '../../../src/oidc/discover.ts';
import { createScriptedProvider, issuer, provider, type Script } from '../../support/scripted-provider.ts';
import { discovery, hour, status } from '../../support/worker-setup.ts';

const day = 24 * hour;
const offline = () => Promise.reject(new TypeError('Failed to fetch'));
const down = { [discovery]: () => status(503), '/keys': () => status(503) };

let withDatabase: WithDatabase;
beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  withDatabase = createDatabase();
});

function setUp(script: Script = {}) {
  const clock = { nowMs: Date.parse('2026-11-21T12:00:00Z') };
  script.nowMs ??= () => clock.nowMs;
  const scripted = createScriptedProvider(script);
  /** The access of a worker that has just started. */
  const start = (change: Partial<Provider> = {}) =>
    createProviderAccess({ ...provider, ...change }, scripted.client.world, withDatabase);
  return { clock, script, start, paths: scripted.paths };
}

const readRecord = (key: string) =>
  withDatabase((database) => database.get('providers', key)) as Promise<Record<string, unknown> | undefined>;

/** Fetches both, and waits until the copy is stored for the next worker. */
async function fetched(access: ProviderAccess): Promise<void> {
  await access.metadata();
  await access.keys('cached').catch(() => undefined);
  // The write begins during the first read, so the second one comes after it.
  for (let read = 0; read < 2; read += 1) await readRecord('scripted');
}

/** Waits until the record fits: it is written in the background. */
async function expectRecord(expected: object): Promise<void> {
  await expect.poll(() => readRecord('scripted')).toMatchObject(expected);
}

describe('metadata and keys', () => {
  test('are fetched once, also by the next worker', async () => {
    const { start, paths } = setUp();
    const access = start();
    expect(access.known()).toBeNull();
    const [metadata, keys] = [await access.metadata(), await access.keys('cached')];
    await fetched(access);
    const next = start();
    await next.recall();
    expect(next.known()).toEqual(metadata);
    expect(await next.metadata()).toEqual(metadata);
    expect(await next.keys('cached')).toEqual(keys);
    expect(paths()).toEqual([discovery, '/keys']);
  });

  test('belong to one provider of the configuration, not to its issuer', async () => {
    const { start } = setUp();
    const metadata = { revocation_endpoint: `${issuer}/another` };
    const other = { id: 'other', metadata };
    await fetched(start(other));
    expect(await start().metadata()).toMatchObject({ revocation_endpoint: `${issuer}/revoke` });
    expect(await start(other).metadata()).toMatchObject(metadata);
  });

  test('follow at once an override that comes, changes or leaves', async () => {
    const { start, paths } = setUp();
    const find = async (change: Partial<Provider>) => {
      const access = start(change);
      await fetched(access);
      return (await access.metadata()).revocation_endpoint;
    };
    const override = (path: string) => ({ metadata: { revocation_endpoint: issuer + path } });
    expect(await find(override('/one'))).toBe(`${issuer}/one`);
    expect(await find(override('/two'))).toBe(`${issuer}/two`);
    expect(await find({})).toBe(`${issuer}/revoke`);
    expect(paths()).toEqual([discovery, '/keys']);
  });

  const endpoints = {
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
  };
  test.each<[string, Partial<Provider>, Partial<Provider>, readonly string[]]>([
    ['discovery document', {}, { discoveryUrl: `${issuer}${discovery}` }, [discovery, '/keys']],
    // The configuration names all endpoints.
    ['issuer', { metadata: endpoints }, { metadata: endpoints, issuer: `${issuer}/tenant` }, ['/keys']],
  ])('of another %s are not used', async (_what, before, after, asked) => {
    const { start, paths } = setUp();
    for (const change of [before, after, after]) await fetched(start(change));
    expect(paths()).toEqual([...asked, ...asked]);
  });

  test('do not use keys of another address', async () => {
    const { start, paths, script } = setUp();
    await start().keys('cached');
    script.answers = { '/other-keys': { keys: [{ kty: 'EC', kid: 'other' }] } };
    const metadata = { jwks_uri: `${issuer}/other-keys` };
    expect(await start({ metadata }).keys('cached')).toMatchObject({ keys: [{ kid: 'other' }] });
    expect(paths()).toEqual([discovery, '/keys', discovery, '/other-keys']);
  });

  test.each([null, 7, {}, { version: 2, issuer, discoveryUrl: null, document: { fetchedAtMs: 0 }, keys: 7 }])(
    'in a record that is %j are fetched',
    async (record) => {
      const { start, paths } = setUp();
      await withDatabase((database) => database.put('providers', record, 'scripted'));
      await fetched(start());
      expect(paths()).toEqual([discovery, '/keys']);
    },
  );
});

test('a click before the keys have come waits for the metadata alone', async () => {
  const keys = deferred<null>();
  const { start, paths } = setUp({ answers: { '/keys': () => keys.promise.then(() => status(410)) } });
  const access = start();
  expect(await access.metadata()).toMatchObject({ token_endpoint: `${issuer}/token` });
  expect(access.known()).not.toBeNull();
  keys.resolve(null);
  await expect(access.keys('cached')).rejects.toMatchObject({ code: 'response-rejected' });
  expect(paths()).toEqual([discovery, '/keys']);
});

describe('an old copy', () => {
  test.each([
    [day - 1, 0],
    [day, 1],
    [-2 * day, 1],
  ])('%i ms old is fetched again %i times', async (ageMs, times) => {
    const { start, clock, paths } = setUp();
    await fetched(start());
    clock.nowMs += ageMs;
    await fetched(start());
    expect(paths().filter((path) => path === discovery)).toHaveLength(1 + times);
  });

  test('of up to 30 days is used if the provider does not answer', async () => {
    const { start, clock, script } = setUp();
    const fresh = start();
    const [metadata, keys] = [await fresh.metadata(), await fresh.keys('cached')];
    await fetched(fresh);
    script.answers = down;
    clock.nowMs += 30 * day - 1;
    const access = start();
    expect(await access.metadata()).toEqual(metadata);
    expect(await access.keys('cached')).toEqual(keys);
    clock.nowMs += 1;
    await expect(start().metadata()).rejects.toMatchObject({ code: 'provider-unreachable' });
  });

  test('is used without another request for a minute after the provider did not answer', async () => {
    const { start, clock, script, paths } = setUp();
    await fetched(start());
    script.answers = down;
    clock.nowMs += 2 * day;
    const access = start();
    const asked = () => paths().filter((path) => path === discovery).length;
    await access.metadata();
    await access.keys('cached');
    clock.nowMs += 59_999;
    await access.metadata();
    expect(asked()).toBe(2);
    delete script.answers;
    clock.nowMs += 1;
    await access.metadata();
    expect(asked()).toBe(3);
  });

  test.each<[string, boolean, Script, string]>([
    ['the device is offline', false, { answers: { [discovery]: offline } }, 'offline'],
    [
      'the provider has another issuer now',
      true,
      { metadata: { issuer: 'https://x.example' } },
      'provider-misconfigured',
    ],
  ])('is not used if %s', async (_title, online, change, code) => {
    let isOnline = true;
    const { start, clock, script } = setUp({ isOnline: () => isOnline });
    await fetched(start());
    isOnline = online;
    Object.assign(script, change);
    clock.nowMs += 2 * day;
    await expect(start().metadata()).rejects.toMatchObject({ code });
  });

  test('gives way to metadata that came although the keys did not', async () => {
    const { start, clock, script } = setUp();
    await fetched(start());
    clock.nowMs += 2 * day;
    script.metadata = { userinfo_endpoint: `${issuer}/moved` };
    script.answers = { '/keys': () => status(410) };
    const access = start();
    expect(await access.metadata()).toMatchObject({ userinfo_endpoint: `${issuer}/moved` });
    await expect(access.keys('cached')).rejects.toMatchObject({ code: 'response-rejected' });
  });
});

describe("the provider's clock", () => {
  test('is known to the next worker before it has asked anything', async () => {
    const { start, script, paths } = setUp({ deviceAheadMs: hour });
    await fetched(start());
    await expectRecord({ skewSeconds: -3600 });
    const next = start();
    await next.recall();
    expect(next.client.skewSeconds()).toBe(-3600);
    expect(paths()).toEqual([discovery, '/keys']);
    expect(script.deviceAheadMs).toBe(hour);
  });

  test('is kept when a later answer tells another time', async () => {
    const { start, script } = setUp();
    const access = start();
    await access.metadata();
    await expectRecord({ skewSeconds: 0 });
    script.deviceAheadMs = -hour;
    await access.client.exchange.fetchPage(`${issuer}/keys`);
    await expectRecord({ skewSeconds: 3600, keys: { jwksUri: `${issuer}/keys` } });
  });

  test('is forgotten with a copy older than a day', async () => {
    const { start, script, clock } = setUp({ deviceAheadMs: hour });
    await fetched(start());
    await expectRecord({ skewSeconds: -3600 });
    script.sendsDate = false;
    clock.nowMs += day;
    const next = start();
    await next.recall();
    expect(next.client.skewSeconds()).toBeNull();
  });
});

describe('a copy is doubted before the provider is', () => {
  /** A worker with a copy that is an hour old, of a provider that has changed since. */
  async function withOldCopy(script: Script = {}) {
    const scene = setUp(script);
    await fetched(scene.start());
    scene.clock.nowMs += hour;
    return { ...scene, access: scene.start() };
  }
  const asked = (paths: () => readonly string[]) => paths().filter((path) => path === discovery).length;
  const refuse = (copy: Metadata) => {
    if (copy.userinfo_endpoint !== `${issuer}/moved`) throw new Error('refused');
    return copy;
  };

  test('once: a check that refuses the newer one too has refused', async () => {
    const { access, paths } = await withOldCopy();
    await expect(access.attempt(refuse)).rejects.toThrow('refused');
    await expect(access.attempt(refuse)).rejects.toThrow('refused');
    expect(asked(paths)).toBe(2);
  });

  test('and if no newer one comes, the check has refused', async () => {
    const { access, script } = await withOldCopy();
    script.answers = down;
    await expect(access.attempt(refuse)).rejects.toThrow('refused');
  });

  test('but not for an endpoint that the newer one names too, nor for any other address', async () => {
    const { access, script, paths } = await withOldCopy();
    await access.recall();
    script.answers = { '/revoke': () => status(404) };
    for (const path of ['/revoke', '/revoke', '/elsewhere'])
      expect((await access.client.exchange.fetch(issuer + path, {})).status).toBe(404);
    expect(asked(paths)).toBe(2);
    expect(paths().filter((path) => path === '/revoke')).toHaveLength(2);
  });
});
