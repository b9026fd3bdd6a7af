import { createServer, type AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readConfig, type Provider } from '../../src/config/config.ts';
import { UsageError } from '../../tools/command.ts';
import { startDemoProvider } from '../../tools/demo-provider/provider.ts';
import { demoConfigPath } from '../../tools/build/read-config.ts';
import { extension } from '../../tools/build/settings.ts';
import {
  describeOthers,
  moveDemo,
  readDemonstrated,
  startDemo,
  startDemoThenBuild,
  toBuildFolder,
  toBuildOptions,
} from '../../tools/demo.ts';
import { readIdentity } from '../../tools/product.ts';
import { redirectUris } from '../../tools/redirect-uris.ts';

const demo = {
  id: 'demo',
  name: 'Demo',
  issuer: 'http://localhost:4455',
  clientId: 'latchkey-demo',
  apiOrigins: ['http://localhost:4455', 'https://api.acme.example'],
  metadata: { userinfo_endpoint: 'http://localhost:4455/me' },
};
const acme = { id: 'acme', name: 'Acme', issuer: 'https://id.acme.example', clientId: 'x' };
const nearby = { ...acme, id: 'nearby', issuer: 'http://localhost:44556' };

describe('moveDemo', () => {
  test.each([[undefined], ['']])('leaves the demo provider where it is if the port is %j', (port) => {
    const config = readConfig({ providers: [acme, demo] });
    expect(moveDemo(config, port)).toEqual({ config, demo: config.providers[1] });
  });

  test('moves every address of the demo provider to the port, and no other', () => {
    const { config, demo: moved } = moveDemo(readConfig({ providers: [nearby, demo] }), '4460');
    expect(moved).toMatchObject({
      id: 'demo',
      issuer: 'http://localhost:4460',
      apiOrigins: expect.arrayContaining(['http://localhost:4460', 'https://api.acme.example']),
      metadata: { userinfo_endpoint: 'http://localhost:4460/me' },
    });
    expect(config.providers.map(({ issuer }) => issuer)).toEqual([
      'http://localhost:44556',
      'http://localhost:4460',
    ]);
  });

  test('changes nothing if the configuration does not name the demo provider', () => {
    const config = readConfig({ providers: [acme] });
    expect(moveDemo(config, '4460')).toEqual({ config, demo: null });
  });

  test.each(['0', '65536', '44x', '-1', '4455.5', ' '])(
    'rejects the port %j and says what it expects',
    (port) => {
      const config = readConfig({ providers: [demo] });
      expect(() => moveDemo(config, port)).toThrow(UsageError);
      expect(() => moveDemo(config, port)).toThrow(
        `LATCHKEY_DEMO_PORT is ${JSON.stringify(port)}; expected a port, from 1 to 65535.`,
      );
    },
  );
});

describe('LATCHKEY_DEMO_PORT', () => {
  afterEach(() => void vi.unstubAllEnvs());

  test('moves the demo provider in the configuration that a command reads', () => {
    vi.stubEnv('LATCHKEY_DEMO_PORT', '4460');
    expect(readDemonstrated(demoConfigPath).demo).toMatchObject({
      issuer: 'http://localhost:4460',
      apiOrigins: ['http://localhost:4460'],
    });
  });

  test('leaves the demo provider where it is if it is not set', () => {
    vi.stubEnv('LATCHKEY_DEMO_PORT', undefined);
    expect(readDemonstrated(demoConfigPath).demo?.issuer).toBe('http://localhost:4455');
  });
});

test('describeOthers gives the redirect URIs of all providers but the demo provider, for one browser', () => {
  const { chrome, firefox } = redirectUris(readIdentity(), 'acme');
  const demonstrated = moveDemo(readConfig({ providers: [demo, acme] }), '4460');
  expect(describeOthers(demonstrated, 'chrome').slice(1)).toEqual([`  Chrome, Edge: ${chrome}`]);
  expect(describeOthers(demonstrated, 'firefox').slice(1)).toEqual([`  Firefox:      ${firefox}`]);
  expect(describeOthers(moveDemo(readConfig({ providers: [demo] }), ''), 'chrome')).toEqual([]);
});

const providerAt = (port: number) =>
  ({ id: 'demo', issuer: `http://localhost:${port}` }) as unknown as Provider;

describe('toBuildFolder', () => {
  const config = readConfig({ providers: [demo] });

  test('gives the builds for two ports two folders, so that neither replaces the other', () => {
    expect(toBuildFolder('chrome', moveDemo(config, '4460').demo)).toBe('chrome-4460');
    expect(toBuildFolder('chrome', moveDemo(config, '').demo)).toBe('chrome');
  });

  test.each(['', '4460'])(
    'is where `npm start` builds and what it then loads, with the demo provider at the port %j',
    (port) => {
      const demonstrated = moveDemo(config, port);
      const options = toBuildOptions(demonstrated, 'firefox');
      expect(options.outDir).toBe(resolve('dist/start', toBuildFolder('firefox', demonstrated.demo)));
      expect(extension(options).build?.outDir).toBe(options.outDir);
    },
  );

  test('is named after the browser without a demo provider', () => {
    expect(toBuildFolder('firefox', null)).toBe('firefox');
  });
});

describe('startDemo', () => {
  test('says that another command has the port, and what to do', async () => {
    const running = await startDemoProvider();
    onTestFinished(() => running.close());
    const port = Number(new URL(running.issuer).port);
    await expect(startDemo(providerAt(port), () => {})).rejects.toThrow(
      `port ${port} is taken by another \`npm start\` or \`npm run dev\`. Stop that with Ctrl-C, or set LATCHKEY_DEMO_PORT to another port, such as ${port + 1}.`,
    );
  });

  test('says that another program has the port, also one that does not speak HTTP', async () => {
    const other = createServer((socket) => socket.end('220 ready\r\n'));
    await new Promise<void>((listening) => other.listen({ host: '127.0.0.1', port: 0 }, () => listening()));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    await expect(startDemo(providerAt(port), () => {})).rejects.toThrow(
      `port ${port} is taken by another program. Stop that, or set LATCHKEY_DEMO_PORT`,
    );
  });
});

test('startDemo names a port that the system reserves', async () => {
  const reserved = () => Promise.reject(Object.assign(new Error('listen EACCES'), { code: 'EACCES' }));
  await expect(startDemo(providerAt(4455), () => {}, reserved)).rejects.toThrow(
    'port 4455 is reserved by the system. Free it, or set LATCHKEY_DEMO_PORT to another port, such as 4456.',
  );
});

test('startDemo passes on a failure that is not about the port', async () => {
  const failing = () => Promise.reject(new Error('no entropy'));
  await expect(startDemo(providerAt(4455), () => {}, failing)).rejects.toThrow('no entropy');
});

describe('startDemoThenBuild', () => {
  test('builds nothing if the port is taken, because a running browser has the build loaded', async () => {
    const running = await startDemoProvider();
    onTestFinished(() => running.close());
    const build = vi.fn<() => Promise<void>>();
    const demoOf = providerAt(Number(new URL(running.issuer).port));
    await expect(startDemoThenBuild(demoOf, () => {}, build)).rejects.toThrow('is taken by another');
    expect(build).not.toHaveBeenCalled();
  });

  test('builds without a demo provider', async () => {
    const build = vi.fn<() => Promise<void>>();
    await startDemoThenBuild(null, () => {}, build);
    expect(build).toHaveBeenCalledOnce();
  });
});
