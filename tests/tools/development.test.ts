import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { moveDemo } from '../../tools/demo.ts';
import { createDevelopment } from '../../tools/development.ts';
import { acme } from '../support/samples.ts';

const demo = { ...acme, id: 'demo', issuer: 'http://localhost:4455' };

const inputsOf = (provider: object, port = '') => moveDemo(readConfig({ providers: [provider] }), port);

/** A development whose parts write down what they do. */
function developing() {
  const log: string[] = [];
  const development = createDevelopment({
    async startDemo({ id, issuer }) {
      log.push(`start ${id} at ${issuer}`);
      return { close: async () => void log.push(`close ${id} at ${issuer}`) };
    },
    async follow({ providers: [provider] }) {
      const name = provider?.name ?? '';
      log.push(`follow ${name}`);
      return async () => void log.push(`stop following ${name}`);
    },
  });
  /** Uses inputs, and returns what happened because of that. */
  const use = async (inputs: ReturnType<typeof inputsOf>) => {
    log.length = 0;
    await development.use(inputs);
    return [...log];
  };
  return { ...development, log, use };
}

describe('createDevelopment', () => {
  test('starts the demo provider before it builds', async () => {
    const { use } = developing();
    expect(await use(inputsOf(demo))).toEqual(['start demo at http://localhost:4455', 'follow Acme']);
  });

  test('builds with a changed configuration, and keeps the demo provider, which knows who is signed in', async () => {
    const { use } = developing();
    await use(inputsOf(demo));
    expect(await use(inputsOf({ ...demo, name: 'Beta', apiOrigins: ['https://api.example'] }))).toEqual([
      'stop following Acme',
      'follow Beta',
    ]);
  });

  test.each([
    ['port', inputsOf(demo, '4460'), 'start demo at http://localhost:4460'],
    ['redirect URI', inputsOf({ ...demo, id: 'other' }), 'start other at http://localhost:4455'],
  ])('starts the demo provider anew if it has another %s', async (_what, inputs, started) => {
    const { use } = developing();
    await use(inputsOf(demo));
    expect(await use(inputs)).toEqual([
      'stop following Acme',
      'close demo at http://localhost:4455',
      started,
      'follow Acme',
    ]);
  });

  test('closes the demo provider if the configuration no longer names it, and starts it again', async () => {
    const { use } = developing();
    await use(inputsOf(demo));
    expect(await use(inputsOf(acme))).toEqual([
      'stop following Acme',
      'close demo at http://localhost:4455',
      'follow Acme',
    ]);
    expect(await use(inputsOf(demo))).toContain('start demo at http://localhost:4455');
  });

  test('stops following once', async () => {
    const { log, stop, use } = developing();
    await use(inputsOf(acme));
    log.length = 0;
    await stop();
    await stop();
    expect(log).toEqual(['stop following Acme']);
  });
});
