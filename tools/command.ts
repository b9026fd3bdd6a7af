// Runs a command: one clear line for a failure, and no process left running afterwards.

import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { browserNames, type ProductName } from './browser/browsers.ts';

/** The command line has an unknown or malformed option. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Registers a function that stops something when the command ends. The last one registered runs first. */
export type OnStop = (stop: () => Promise<unknown>) => void;

/** The parts of a process that a command uses. */
export interface Host {
  onSignal(signal: NodeJS.Signals, listener: () => void): void;
  exit(code: number): never;
  printError(line: string): void;
  nowMs(): number;
}

const thisProcess: Host = {
  onSignal: (signal, listener) => void process.on(signal, listener),
  exit: (code) => process.exit(code),
  printError: (line) => console.error(line),
  nowMs: () => performance.now(),
};

/** A signal this soon after the first is the same key press: the terminal and npm both send it. */
const samePressMs = 500;

/** The exit code that shells give to a process that Ctrl-C has ended. */
const killed = 130;

/**
 * Runs a command until it finishes, fails or is interrupted, then calls the registered stop functions and exits the
 * process: with 0, also when interrupted; with 1 after a failure; with 2 for a {@link UsageError}. An interrupt while it
 * stops exits at once, with 130.
 */
export async function runCommand(
  command: (onStop: OnStop) => Promise<void>,
  host: Host = thisProcess,
): Promise<never> {
  let stoppingSinceMs: number | null = null;
  const interrupted = new Promise<void>((resolve) => {
    const onSignal = () => {
      if (stoppingSinceMs === null) {
        stoppingSinceMs = host.nowMs();
        host.printError('Stopping. Press Ctrl-C again to stop at once.');
        resolve();
      } else if (host.nowMs() - stoppingSinceMs > samePressMs) {
        host.exit(killed);
      }
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) host.onSignal(signal, onSignal);
  });
  const stops: (() => Promise<unknown>)[] = [];
  let exitCode = 0;
  try {
    await Promise.race([interrupted, command((stop) => stops.unshift(stop))]);
  } catch (error) {
    exitCode = error instanceof UsageError ? 2 : 1;
    host.printError(toMessage(error));
  }
  stoppingSinceMs ??= host.nowMs();
  for (const stop of stops) {
    try {
      await stop();
    } catch (error) {
      exitCode = exitCode || 1;
      host.printError(`A process may still be running: ${toMessage(error)}`);
    }
  }
  return host.exit(exitCode);
}

/**
 * Whether Node was started with the module at `moduleUrl`, and no other module imports it. `argument` is the path that
 * Node was given; it may lead through links, as with a junction on Windows.
 */
export function isCommand(moduleUrl: string, argument: string | undefined = process.argv[1]): boolean {
  if (argument === undefined) return false;
  try {
    // The native function also gives each letter the case that it has on the disk.
    return realpathSync.native(argument) === realpathSync.native(fileURLToPath(moduleUrl));
  } catch {
    return false; // Node runs no file, or a module that is in none.
  }
}

/** The parts of the environment in which npm tells a script what it was started with. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Reads `--browser`, the only option; `chrome` by default. Throws a {@link UsageError}. */
export function readBrowserOption(
  args: readonly string[] = process.argv.slice(2),
  environment: Environment = process.env,
): ProductName {
  const browser = parseBrowser(args);
  if (args.length === 0) refuseOptionsKeptByNpm(['browser'], '--browser firefox', environment);
  return browser;
}

const productNames: readonly ProductName[] = [...browserNames, 'edge'];

function parseBrowser(args: readonly string[]): ProductName {
  try {
    const { values } = parseArgs({ args: [...args], options: { browser: { type: 'string' } } });
    const browser = productNames.find((name) => name === (values.browser ?? 'chrome'));
    if (browser !== undefined) return browser;
  } catch {
    // The error below names the known options.
  }
  throw new UsageError(
    `Unknown option: ${args.join(' ')}. Known are --browser chrome (the default), --browser edge and --browser firefox.`,
  );
}

/** Throws a {@link UsageError} if a command that has no options got one. */
export function expectNoOptions(args: readonly string[] = process.argv.slice(2)): void {
  if (args.length > 0) throw new UsageError(`Unknown option: ${args.join(' ')}. This command has none.`);
}

/**
 * Throws a {@link UsageError} if npm has kept one of a script's options for itself, as it does with each that is not
 * after `--`. npm may lose the option's value, so it cannot be used. `example` is what to write after `--`.
 */
export function refuseOptionsKeptByNpm(
  options: readonly string[],
  example: string,
  environment: Environment = process.env,
): void {
  const kept = options.filter((option) => environment[`npm_config_${option}`]);
  if (kept.length === 0) return;
  const script = environment['npm_lifecycle_event'] || 'start';
  throw new UsageError(
    `npm kept ${kept.map((option) => `--${option.replaceAll('_', '-')}`).join(', ')} for itself. Write "--" before the options: ` +
      `${script === 'start' ? 'npm start' : `npm run ${script}`} -- ${example}`,
  );
}

/** The message of an error, as one line for a terminal. */
export function toMessage(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  // Puppeteer describes a failed launch in many lines, with the browser's output among them.
  const [failure = text, printed = ''] = text.replace(/\s*TROUBLESHOOTING:.*/s, '').split(/\s*stderr:\s*/);
  return printed === '' ? failure : `${failure.trim()}. ${printed.replaceAll(/\s+/g, ' ')}`;
}
