// Runs a command: one clear line for a failure, and no process left running afterwards.

import { realpathSync } from 'node:fs';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { browserNames, type BrowserName } from './browser/browsers.ts';

/** The command line has an unknown or malformed option. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command line asks for help, which is the message. */
export class HelpRequest extends Error {
  override readonly name = 'HelpRequest';
}

/** Registers a function that stops something when the command ends. The last one registered runs first. */
export type OnStop = (stop: () => Promise<unknown>) => void;

/** A signal this soon after the first is the same key press: the terminal and npm both send it. */
const samePressMs = 500;

/** The exit code that shells give to a process that Ctrl-C has ended. */
const killed = 130;

/**
 * Runs a command until it finishes, fails or is interrupted, then calls the registered stop functions and exits the
 * process: with 0, also when interrupted or asked for help; with 1 after a failure; with 2 for a {@link UsageError}. An interrupt while it
 * stops exits at once, with 130.
 */
export async function runCommand(command: (onStop: OnStop) => Promise<void>): Promise<never> {
  let stoppingSinceMs: number | null = null;
  const interrupted = new Promise<void>((resolve) => {
    const onSignal = () => {
      if (stoppingSinceMs === null) {
        stoppingSinceMs = performance.now();
        console.error('Stopping. Press Ctrl-C again to stop at once.');
        resolve();
      } else if (performance.now() - stoppingSinceMs > samePressMs) process.exit(killed);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal);
  });
  const stops: (() => Promise<unknown>)[] = [];
  let exitCode = 0;
  try {
    await Promise.race([interrupted, command((stop) => stops.unshift(stop))]);
  } catch (error) {
    if (error instanceof HelpRequest) console.log(error.message);
    else {
      exitCode = error instanceof UsageError ? 2 : 1;
      console.error(toMessage(error));
    }
  }
  stoppingSinceMs ??= performance.now();
  // The command may go on for a moment, and start something more.
  for (let stop = stops.shift(); stop !== undefined; stop = stops.shift()) {
    await stop().catch((error: unknown) => {
      exitCode = exitCode || 1;
      console.error(`A process may still be running: ${toMessage(error)}`);
    });
  }
  return process.exit(exitCode);
}

/** Runs a step and prints it with the time it took. An error names the step. */
export async function step<Result>(name: string, action: () => Promise<Result>): Promise<Result> {
  const startedAtMs = performance.now();
  const result = await action().catch((error: unknown) => {
    throw new Error(`Couldn't ${name}: ${toMessage(error)}`, { cause: error });
  });
  console.log(`${(performance.now() - startedAtMs).toFixed(0).padStart(6)} ms  ${name}`);
  return result;
}

/** Whether Node was started with the module at `moduleUrl`, and no other module imports it. */
export function isCommand(moduleUrl: string): boolean {
  const [, started] = process.argv;
  // The path may lead through links. The native function also gives each letter the case that it has on the disk.
  return (
    started !== undefined && realpathSync.native(started) === realpathSync.native(fileURLToPath(moduleUrl))
  );
}

/** Runs a command as {@link runCommand} does, if Node was started with the module at `moduleUrl`. */
export async function runIfStarted(
  moduleUrl: string,
  command: (onStop: OnStop) => Promise<void>,
): Promise<void> {
  if (isCommand(moduleUrl)) await runCommand(command);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** An option of a command, as `parseArgs` reads it, with what `--help` says. */
type Option = NonNullable<ParseArgsConfig['options']>[string] & {
  /** Its effect, in a few words. `<value>` stands for the value. */
  readonly description: string;
};

/**
 * Reads the options of a command, by their names. `example` is what to write after `npm run <script> --`. Throws a
 * {@link UsageError}, also for options that npm has kept for itself, and a {@link HelpRequest} for `--help`.
 */
export function readOptions<const Options extends Readonly<Record<string, Option>>>(
  options: Options,
  example: string,
  args: readonly string[] = process.argv.slice(2),
  environment: Environment = process.env,
): ReturnType<typeof parseArgs<{ readonly args: string[]; readonly options: Options }>>['values'] {
  const names = Object.keys(options);
  if (args.includes('--help') || args.includes('-h')) {
    throw new HelpRequest(describeOptions(options, example, environment));
  }
  // npm may pass on the values of the options that it has kept.
  if (!args.some((arg) => arg.startsWith('-'))) refuseOptionsKeptByNpm(names, example, environment);
  try {
    const { values } = parseArgs({ args: [...args], options });
    // As from a variable of the shell that isn't set.
    const empty = names.find((name) => (values as Readonly<Record<string, unknown>>)[name] === '');
    if (empty !== undefined) throw new Error(`Option '--${empty} <value>' argument missing`);
    return values;
  } catch (cause) {
    const known = names.length === 0 ? 'This command has no options' : `Known are --${names.join(', --')}`;
    // Node's other sentences are about positional arguments, which no command has.
    const [mistake = ''] = toMessage(cause).split(/\.\s|\n/);
    throw new UsageError(`${mistake}. ${known}.`, { cause });
  }
}

function describeOptions(
  options: Readonly<Record<string, Option>>,
  example: string,
  environment: Environment,
): string {
  const help: Option = { type: 'boolean', description: 'Shows this, and does nothing.' };
  const described: Readonly<Record<string, Option>> = { ...options, help };
  const rows = Object.entries(described).map(
    ([name, { type, description }]) =>
      [`--${name}${type === 'string' ? ' <value>' : ''}`, description] as const,
  );
  const width = Math.max(...rows.map(([option]) => option.length));
  return [
    example === ''
      ? toCommandLine(environment).replace(/ --$/, '')
      : `${toCommandLine(environment)} ${example}`,
    '',
    ...rows.map(([option, description]) => `  ${option.padEnd(width)}  ${description}`),
  ].join('\n');
}

/** The command line before the options, as you'd write it with npm or npx. */
function toCommandLine(environment: Environment): string {
  const script = environment['npm_lifecycle_event'] || 'start';
  if (script === 'npx') return `npx latchkey ${parse(process.argv[1] ?? '').name}`;
  return script === 'start' ? 'npm start --' : `npm run ${script} --`;
}

/** The browser to open, and whether it keeps its profile for the next time. */
export interface BrowserOptions {
  readonly name: BrowserName;
  readonly keepsProfile: boolean;
}

/** Reads `--browser`, which is `chrome` by default, and `--keep-profile`. Throws a {@link UsageError}. */
export function readBrowserOptions(args?: readonly string[], environment?: Environment): BrowserOptions {
  const options = {
    browser: { type: 'string', default: 'chrome', description: `The browser: ${browserNames.join(' or ')}.` },
    'keep-profile': {
      type: 'boolean',
      default: false,
      description: 'Keeps cookies and the session until the next time, so you sign in once.',
    },
  } as const;
  const { browser, 'keep-profile': keepsProfile } = readOptions(
    options,
    '--browser firefox',
    args,
    environment,
  );
  return { name: toBrowserName(browser, '--browser'), keepsProfile };
}

/** The browser that `source` names. Throws a {@link UsageError} for any other text. */
export function toBrowserName(text: string, source: string): BrowserName {
  const found = browserNames.find((name) => name === text);
  if (found !== undefined) return found;
  throw new UsageError(`${source} is ${JSON.stringify(text)}; expected ${browserNames.join(' or ')}.`);
}

/**
 * Throws a {@link UsageError} if npm has kept one of a script's options for itself, as it does with each one that isn't
 * after `--`. npm may lose the option's value, so it can't be used. `example` is what to write after `--`.
 */
function refuseOptionsKeptByNpm(
  options: readonly string[],
  example: string,
  environment: Environment = process.env,
): void {
  const kept = options.filter((option) => environment[`npm_config_${option.replaceAll('-', '_')}`]);
  if (kept.length === 0) return;
  throw new UsageError(
    `npm kept ${kept.map((option) => `--${option}`).join(', ')} for itself. Write "--" before the options: ` +
      `${toCommandLine(environment)} ${example}`,
  );
}

/** Reads a port from the environment. Throws a {@link UsageError}. */
export function readPort(variable: string, fallback: number, environment: Environment = process.env): number {
  // In a shell, an empty variable usually means an unset one.
  const text = environment[variable] || String(fallback);
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return port;
  throw new UsageError(`${variable} is ${JSON.stringify(text)}; expected a port, from 1 to 65535.`);
}

/** The message of an error, as one line for a terminal. */
export function toMessage(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  // Puppeteer describes a failed launch in many lines, with the browser's output among them.
  const [failure = text, printed = ''] = text.replace(/\s*TROUBLESHOOTING:.*/s, '').split(/\s*stderr:\s*/);
  return printed === '' ? failure : `${failure.trim()}. ${printed.replaceAll(/\s+/g, ' ')}`;
}
