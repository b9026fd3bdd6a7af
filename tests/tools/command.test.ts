import { symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import {
  UsageError,
  isCommand,
  HelpRequest,
  readBrowserOptions,
  readOptions,
  readPort,
  runCommand,
  toMessage,
  type OnStop,
} from '../../tools/command.ts';
import { deferred } from '../support/deferred.ts';
import { makeFolder } from '../support/folder.ts';

/** Runs a command in a process that counts as ended after its first exit. */
function run(command: (onStop: OnStop) => Promise<void>) {
  const listeners: (() => void)[] = [];
  const exited = deferred<unknown>();
  const exits: unknown[] = [];
  const printed: unknown[] = [];
  let nowMs = 0;
  vi.spyOn(process, 'on').mockImplementation((signal, listener) => {
    if (signal === 'SIGINT') listeners.push(listener);
    return process;
  });
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    exits.push(code);
    exited.resolve(code);
    return undefined as never;
  });
  vi.spyOn(console, 'error').mockImplementation((line) => void printed.push(line));
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  void runCommand(command);
  return {
    printed,
    /** The codes of all exits so far. */
    exits,
    exited: exited.promise,
    interrupt: () => listeners.forEach((listener) => listener()),
    passMs: (ms: number) => void (nowMs += ms),
  };
}

const never = () => new Promise<never>(() => {});

describe('runCommand', () => {
  test('stops what the command has started when it is interrupted, the newest first, and exits with 0', async () => {
    const stopped: string[] = [];
    const { exited, interrupt } = run(async (onStop) => {
      onStop(async () => stopped.push('provider'));
      onStop(async () => stopped.push('browser'));
      await never();
    });
    interrupt();
    expect(await exited).toBe(0);
    expect(stopped).toEqual(['browser', 'provider']);
  });

  test.each([
    ['interrupted again', true],
    ['first interrupted', false],
  ])('exits at once when it is %s while it stops', async (_when, isInterruptedFirst) => {
    const stopping = deferred<void>();
    const { exits, interrupt, passMs } = run(async (onStop) => {
      onStop(async () => {
        stopping.resolve();
        await never();
      });
      if (isInterruptedFirst) await never();
    });
    if (isInterruptedFirst) interrupt();
    await stopping.promise;
    passMs(2_000);
    interrupt();
    expect(exits).toEqual([130]);
  });

  test('stops what the command starts while it is being stopped, and nothing twice', async () => {
    const stopped: string[] = [];
    const { exited, interrupt } = run(async (onStop) => {
      onStop(async () => stopped.push('provider'));
      onStop(async () => {
        stopped.push('build');
        onStop(async () => stopped.push('browser'));
      });
      await never();
    });
    interrupt();
    expect(await exited).toBe(0);
    expect(stopped).toEqual(['build', 'browser', 'provider']);
  });

  test('takes the two signals that npm makes of one Ctrl-C as one', async () => {
    const stop = deferred<void>();
    const { exited, interrupt, passMs } = run(async (onStop) => {
      onStop(() => stop.promise);
      await never();
    });
    interrupt();
    passMs(20);
    interrupt();
    stop.resolve();
    expect(await exited).toBe(0);
  });

  test('prints the help that is asked for as its output, and exits with 0', async () => {
    const { printed, exited } = run(() => Promise.reject(new HelpRequest('npm start')));
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    expect(await exited).toBe(0);
    expect(log).toHaveBeenCalledWith('npm start');
    expect(printed).toEqual([]);
  });

  test.each([
    [new Error('The port is taken.'), 1],
    [new UsageError('Unknown option.'), 2],
  ])('prints %s in one line and exits with %i', async (error, code) => {
    const { printed, exited } = run(() => Promise.reject(error));
    expect(await exited).toBe(code);
    expect(printed).toEqual([error.message]);
  });
});

test('isCommand is true for the module that Node was started with, also through a link', async () => {
  const root = resolve(import.meta.dirname, '../..');
  const folder = makeFolder();
  await symlink(root, join(folder, 'project'), 'junction');
  const url = pathToFileURL(join(root, 'tools/build.ts')).href;
  const isStartedBy = (file: string) => {
    vi.spyOn(process, 'argv', 'get').mockReturnValue(['node', file]);
    return isCommand(url);
  };
  expect(isStartedBy(join(root, 'tools/build.ts'))).toBe(true);
  expect(isStartedBy(join(folder, 'project', 'tools', 'build.ts'))).toBe(true);
  expect(isStartedBy(join(root, 'tools/start.ts'))).toBe(false);
});

describe('readOptions', () => {
  const options = {
    'edge-id': { type: 'string', description: 'The id.' },
    json: { type: 'boolean', description: 'As JSON.' },
  } as const;

  test('reads options by their names', () => {
    expect(readOptions(options, '', ['--edge-id', 'a', '--json'], {})).toEqual({
      'edge-id': 'a',
      json: true,
    });
  });

  test.each([['--help'], ['-h']])('describes each option for %s', (arg) => {
    const environment = { npm_lifecycle_event: 'doctor' };
    expect(() => readOptions(options, '--json', [arg, '--json'], environment)).toThrow(
      new HelpRequest(
        [
          'npm run doctor -- --json',
          '',
          '  --edge-id <value>  The id.',
          '  --json             As JSON.',
          '  --help             Shows this, and does nothing.',
        ].join('\n'),
      ),
    );
  });

  test.each([
    [['--edge-id'], "Option '--edge-id <value>' argument missing"],
    [['--edge-id='], "Option '--edge-id <value>' argument missing"],
    [['--edge-id', '--json'], "Option '--edge-id' argument is ambiguous"],
    [['--json=yes'], "Option '--json' does not take an argument"],
    [['--json', '--headless'], "Unknown option '--headless'"],
    [['firefox'], "Unexpected argument 'firefox'"],
  ])('says in one line what is wrong with %j', (args, mistake) => {
    expect(() => readOptions(options, '', args, {})).toThrow(
      new UsageError(`${mistake}. Known are --edge-id, --json.`),
    );
    expect(() => readOptions({}, '', args, {})).toThrow(/This command has no options\.$/);
  });

  test.each([
    ['start', 'npm start -- --json'],
    ['dev', 'npm run dev -- --json'],
  ])('says where "--" belongs if npm kept the option of `%s` for itself', (script, example) => {
    const environment = { npm_config_edge_id: 'true', npm_config_json: '', npm_lifecycle_event: script };
    expect(() => readOptions(options, '--json', ['a value'], environment)).toThrow(
      new UsageError(`npm kept --edge-id for itself. Write "--" before the options: ${example}`),
    );
    expect(readOptions(options, '--json', ['--json'], environment)).toEqual({ json: true });
  });
});

test('readBrowserOptions reads the name of a browser, and rejects any other', () => {
  const read = (...args: string[]) => readBrowserOptions(args, {});
  expect(read()).toEqual({ name: 'chrome', keepsProfile: false });
  expect(read('--browser=firefox', '--keep-profile')).toEqual({ name: 'firefox', keepsProfile: true });
  expect(() => readBrowserOptions(['--browser', 'opera'], {})).toThrow(
    new UsageError('--browser is "opera"; expected chrome or firefox.'),
  );
});

test('readPort reads a port, and rejects any other text', () => {
  expect(readPort('PORT', 4455, {})).toBe(4455);
  expect(readPort('PORT', 4455, { PORT: '' })).toBe(4455);
  expect(readPort('PORT', 4455, { PORT: '65535' })).toBe(65_535);
  for (const text of ['0', '65536', '44x', '-1', '4455.5', ' ']) {
    const reason = `PORT is "${text}"; expected a port, from 1 to 65535.`;
    expect(() => readPort('PORT', 4455, { PORT: text })).toThrow(new UsageError(reason));
  }
});

test('toMessage puts a failed launch on one line', () => {
  const error = new Error(
    'Failed to launch the browser process:  Code: 1\n\nstderr:\nError: cannot open display: :77\n\nTROUBLESHOOTING: https://pptr.dev/troubleshooting\n',
  );
  expect(toMessage(error)).toBe(
    'Failed to launch the browser process:  Code: 1. Error: cannot open display: :77',
  );
});
