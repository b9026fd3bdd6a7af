// From a file's text to a configuration, with the file's name in every complaint.

import { ConfigError, readConfig } from './config.ts';
import { findJsonFault } from './json-fault.ts';
import type { Config } from './provider.ts';

/**
 * Reads a configuration from a file's text. `fileName` is for the messages alone.
 *
 * Throws {@link ConfigError}: one line with the place for a text that is not JSON, else the lines of
 * `readConfig`, each after the file's name.
 */
export function parseConfig(text: string, fileName: string): Config {
  // Some editors on Windows begin a file with a byte order mark.
  const json = text.replace(/^\uFEFF/, '');
  const fault = findJsonFault(json);
  if (fault !== null) {
    const { line, column, expected } = fault;
    throw new ConfigError([`${fileName}:${line}:${column}: not JSON: expected ${expected}`]);
  }
  try {
    return readConfig(JSON.parse(json));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(error.problems.map((problem) => `${fileName}: ${problem}`));
  }
}
