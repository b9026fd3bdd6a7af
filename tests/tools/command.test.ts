import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  UsageError,
  expectNoOptions,
  isCommand,
  readBrowserOption,
  runCommand,
  toMessage,
  type Host,
} from '../../tools/command.ts';
import { deferred } from '../support/deferred.ts';

const root = resolve(import.meta.dirname, '../..');

/** A process that counts as ended after its first exit. */
function fakeHost() {
  const listeners: (() => void)[] = [];
  const exited = deferred<number>();
  const exits: number[] = [];
  const printed: string[] = [];
  let nowMs = 0;
  const host: Host = {
    onSignal: (signal, listener) => void (signal === 'SIGINT' && listeners.push(listener)),
    exit: (code) => {
      exits.push(code);
      exited.resolve(code);
      return undefined as never;
    },
    printError: (line) => void printed.push(line),
    nowMs: () => nowMs,
  };
  return {
    host,
    printed,
    /** The codes of all exits so far. */
    exits,
    exited: exited.promise,
    interrupt: () => listeners.forEach((listener) => listener()),
    passMs: (ms: number) => void (nowMs += ms),
  };
}

const forever = () => new Promise<never>(() => {});

describe('runCommand', () => {
  test('stops what the command has started when it is interrupted, the newest first, and exits with 0', async () => {
    const { host, exited, interrupt } = fakeHost();
    const stopped: string[] = [];
    void runCommand(async (onStop) => {
      onStop(async () => stopped.push('provider'));
      onStop(async () => stopped.push('browser'));
      await forever();
    }, host);
    interrupt();
    expect(await exited).toBe(0);
    expect(stopped).toEqual(['browser', 'provider']);
  });

  test('exits at once when it is interrupted again while it stops', async () => {
    const { host, printed, exits, interrupt, passMs } = fakeHost();
    const stopping = deferred<void>();
    void runCommand(async (onStop) => {
      onStop(async () => {
        stopping.resolve();
        await forever();
      });
      await forever();
    }, host);
    interrupt();
    await stopping.promise;
    passMs(2_000);
    interrupt();
    expect(exits).toEqual([130]);
    expect(printed).toEqual(['Stopping. Press Ctrl-C again to stop at once.']);
  });

  test('exits at once when it is first interrupted while it stops by itself', async () => {
    const { host, exits, interrupt, passMs } = fakeHost();
    const stopping = deferred<void>();
    void runCommand(async (onStop) => {
      onStop(async () => {
        stopping.resolve();
        await forever();
      });
    }, host);
    await stopping.promise;
    passMs(2_000);
    interrupt();
    expect(exits).toEqual([130]);
  });

  test('takes the two signals that npm makes of one Ctrl-C as one', async () => {
    const { host, exited, interrupt, passMs } = fakeHost();
    const stop = deferred<void>();
    void runCommand(async (onStop) => {
      onStop(() => stop.promise);
      await forever();
    }, host);
    interrupt();
    passMs(20);
    interrupt();
    stop.resolve();
    expect(await exited).toBe(0);
  });

  test.each([
    [new Error('The port is taken.'), 1],
    [new UsageError('Unknown option.'), 2],
  ])('prints %s in one line and exits with %i', async (error, code) => {
    const { host, printed, exited } = fakeHost();
    void runCommand(() => Promise.reject(error), host);
    expect(await exited).toBe(code);
    expect(printed).toEqual([error.message]);
  });
});

describe('isCommand', () => {
  const file = join(root, 'tools/build.ts');
  const url = pathToFileURL(file).href;

  test('is true for the module that Node was started with', () => {
    expect(isCommand(url, file)).toBe(true);
  });

  test('is true if a link leads to the project', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey link ä-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await symlink(root, join(folder, 'project'), 'junction');
    expect(isCommand(url, join(folder, 'project', 'tools', 'build.ts'))).toBe(true);
  });

  test.each([
    ['another module', join(root, 'tools/start.ts')],
    ['a file that is not there', join(root, 'tools/no-such-file.ts')],
    ['no file', undefined],
  ])('is false if Node was started with %s', (_title, argument) => {
    expect(isCommand(url, argument ?? '')).toBe(false);
  });
});

describe('readBrowserOption', () => {
  test.each([
    [[], 'chrome'],
    [['--browser', 'chrome'], 'chrome'],
    [['--browser', 'firefox'], 'firefox'],
    [['--browser=firefox'], 'firefox'],
    [['--browser', 'edge'], 'edge'],
  ])('reads %j as %s', (args, browser) => {
    expect(readBrowserOption(args, {})).toBe(browser);
  });

  test.each([[['--browser']], [['--browser', 'opera']], [['--headless']], [['firefox']]])(
    'rejects %j in one line that names the known options',
    (args) => {
      expect(() => readBrowserOption(args, {})).toThrow(UsageError);
      expect(() => readBrowserOption(args, {})).toThrow(
        `Unknown option: ${args.join(' ')}. Known are --browser chrome (the default), --browser edge and --browser firefox.`,
      );
    },
  );

  test.each([
    ['start', 'npm start -- --browser firefox'],
    ['', 'npm start -- --browser firefox'],
    ['dev', 'npm run dev -- --browser firefox'],
  ])('says where "--" belongs if npm kept the option of `%s` for itself', (script, example) => {
    const environment = { npm_config_browser: 'true', npm_lifecycle_event: script };
    expect(() => readBrowserOption([], environment)).toThrow(UsageError);
    expect(() => readBrowserOption([], environment)).toThrow(
      `npm kept --browser for itself. Write "--" before the options: ${example}`,
    );
  });

  test('takes an option after "--" whatever the settings of npm say', () => {
    expect(readBrowserOption(['--browser', 'chrome'], { npm_config_browser: 'true' })).toBe('chrome');
  });

  test('counts an empty setting of npm as unset', () => {
    expect(readBrowserOption([], { npm_config_browser: '' })).toBe('chrome');
  });
});

test('expectNoOptions rejects any option in one line', () => {
  expect(() => expectNoOptions([])).not.toThrow();
  expect(() => expectNoOptions(['--browser', 'firefox'])).toThrow(UsageError);
  expect(() => expectNoOptions(['--browser', 'firefox'])).toThrow('Unknown option: --browser firefox.');
});

test('toMessage puts a failed launch on one line', () => {
  const error = new Error(
    'Failed to launch the browser process:  Code: 1\n\nstderr:\nError: cannot open display: :77\n\nTROUBLESHOOTING: https://pptr.dev/troubleshooting\n',
  );
  expect(toMessage(error)).toBe(
    'Failed to launch the browser process:  Code: 1. Error: cannot open display: :77',
  );
});
