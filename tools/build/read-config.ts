// Reads the configuration that every command uses.

import type { Config } from '../../src/config/config.ts';
import { parseConfig } from './parse-config.ts';
import { FileError } from './parse-json.ts';
import { readText, root } from './read-text.ts';

const variable = 'LATCHKEY_CONFIG';

/** The configuration that names only the demo provider, whatever is in `src/config.json`. */
export const demoConfigPath = 'tools/demo-provider/config.json';

/**
 * Reads the file that `LATCHKEY_CONFIG` names, or `src/config.json` if it is empty or not set. Throws a `FileError`
 * that names the file and the place in it.
 */
export function readConfigFile(configPath?: string): Config {
  const path = configPath ?? toConfigPath();
  return parseConfig(readText(path), path, root);
}

/** The path of the configuration that every command uses. Throws a `FileError` if `LATCHKEY_CONFIG` isn't a path. */
export function toConfigPath(path = process.env[variable]): string {
  // In a shell, an empty variable usually means an unset one.
  if (path === undefined || path === '') return 'src/config.json';
  if (path.trimStart().startsWith('{')) {
    throw new FileError([`${variable}: found JSON; expected the path of a JSON file`]);
  }
  return path;
}
