// Reads the configuration that every command uses.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError, type Config } from '../../src/config/config.ts';
import { parseConfig } from './parse-config.ts';

const root = resolve(import.meta.dirname, '../..');

/** The configuration that names the demo provider alone, whatever stands in `src/config.json`. */
export const demoConfigPath = 'tools/demo-provider/config.json';

/**
 * Reads `LATCHKEY_CONFIG`, or `src/config.json` without it. Throws a `ConfigError` that names the file and the place
 * in it.
 */
export function readConfigFile(configPath = process.env['LATCHKEY_CONFIG'] ?? 'src/config.json'): Config {
  return parseConfig(readText(resolve(root, configPath), configPath), configPath);
}

function readText(path: string, configPath: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Missing, a folder, or not readable: the path is enough to find out.
    throw new ConfigError([`${configPath}: cannot be read; expected the configuration's file`]);
  }
}
