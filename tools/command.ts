// How the commands that stay begin and end: one clear line for a failure, and nothing left running.

import { parseArgs } from 'node:util';
import { type BrowserName, browserNames } from './browser/browsers.ts';

/** The command was called in a way that it does not know. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Remembers what has to be stopped at the end. The last thing started is stopped first. */
export type OnStop = (stop: () => Promise<unknown>) => void;

/**
 * Runs a command until it is done, has failed, or is interrupted, then stops what it has started and ends the
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
      console.error(`Something may be left running: ${toMessage(error)}`);
    }
  }
  process.exit(exitCode);
}

/** Reads `--browser`, the one option there is. Throws a {@link UsageError}. */
export function readBrowserOption(args: readonly string[] = process.argv.slice(2)): BrowserName {
  try {
    const { values } = parseArgs({ args: [...args], options: { browser: { type: 'string' } } });
    const browser = browserNames.find((name) => name === (values.browser ?? 'chrome'));
    if (browser !== undefined) return browser;
  } catch {
    // What it found is said below, together with what is known.
  }
  throw new UsageError(
    `Unknown option: ${args.join(' ')}. Known are --browser chrome (the default) and --browser firefox.`,
  );
}

/** What went wrong, for a line of a terminal. */
export function toMessage(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  // Puppeteer spreads a failed launch over many lines, with what the browser printed among them.
  const [failure = text, printed = ''] = text.replace(/\s*TROUBLESHOOTING:.*/s, '').split(/\s*stderr:\s*/);
  return printed === '' ? failure : `${failure.trim()}. ${printed.replaceAll(/\s+/g, ' ')}`;
}
