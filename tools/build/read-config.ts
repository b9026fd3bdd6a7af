// Reads the configuration that every command uses.

import type { Config } from '../../src/config/config.ts';
import { parseConfig } from './parse-config.ts';
import { FileError } from './parse-json.ts';
import { readText, root } from './read-text.ts';

const variable = 'LATCHKEY_CONFIG';

/** The configuration that names the demo provider alone, whatever stands in `src/config.json`. */
export const demoConfigPath = 'tools/demo-provider/config.json';

/**
 * Reads the file that `LATCHKEY_CONFIG` names, or `src/config.json` if it is empty or not set. Throws a `FileError`
 * that names the file and the place in it.
 */
export function readConfigFile(configPath?: string): Config {
  const path = configPath ?? toConfigPath();
  return parseConfig(readText(path), path, root);
}

/** The path of the configuration that every command uses. Throws a `FileError` if `LATCHKEY_CONFIG` is no path. */
export function toConfigPath(path = process.env[variable]): string {
  // A shell sets a variable to nothing in order to unset it.
  if (path === undefined || path === '') return 'src/config.json';
  if (path.trimStart().startsWith('{')) {
    throw new FileError([`${variable}: found JSON; expected the path of a JSON file`]);
  }
  return path;
}
