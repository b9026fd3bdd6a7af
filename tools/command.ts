// Runs a command: one clear line for a failure, and no process left running afterwards.

import { parseArgs } from 'node:util';
import { type BrowserName, browserNames } from './browser/browsers.ts';

/** The command line has an unknown or malformed option. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Registers a function that stops something when the command ends. The last one registered runs first. */
export type OnStop = (stop: () => Promise<unknown>) => void;

/**
 * Runs a command until it finishes, fails or is interrupted, then calls the registered stop functions and exits the
 * process: with 0, also when interrupted; with 1 after a failure; with 2 for a {@link UsageError}.
 */
export async function runCommand(command: (onStop: OnStop) => Promise<void>): Promise<never> {
  const interrupted = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve());
  });
  const stops: (() => Promise<unknown>)[] = [];
  let exitCode = 0;
  try {
    await Promise.race([interrupted, command((stop) => stops.unshift(stop))]);
  } catch (error) {
    exitCode = error instanceof UsageError ? 2 : 1;
    console.error(toMessage(error));
  }
  for (const stop of stops) {
    try {
      await stop();
    } catch (error) {
      exitCode = exitCode || 1;
      console.error(`A process may still be running: ${toMessage(error)}`);
    }
  }
  process.exit(exitCode);
}

/** Reads `--browser`, the only option; `chrome` by default. Throws a {@link UsageError}. */
export function readBrowserOption(args: readonly string[] = process.argv.slice(2)): BrowserName {
  try {
    const { values } = parseArgs({ args: [...args], options: { browser: { type: 'string' } } });
    const browser = browserNames.find((name) => name === (values.browser ?? 'chrome'));
    if (browser !== undefined) return browser;
  } catch {
    // The error below names the known options.
  }
  throw new UsageError(
    `Unknown option: ${args.join(' ')}. Known are --browser chrome (the default) and --browser firefox.`,
  );
}

/** The message of an error, as one line for a terminal. */
export function toMessage(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  // Puppeteer describes a failed launch in many lines, with the browser's output among them.
  const [failure = text, printed = ''] = text.replace(/\s*TROUBLESHOOTING:.*/s, '').split(/\s*stderr:\s*/);
  return printed === '' ? failure : `${failure.trim()}. ${printed.replaceAll(/\s+/g, ' ')}`;
}
