// Reads and parses the configuration that every command uses. Each message names the file, line and column.

import { resolve } from 'node:path';
import { readConfig, type Config } from '../../src/config/config.ts';
import { FileError, latchkey, parseJson, toProblem, readText, root as project } from './read-text.ts';
import { findIconMistakes } from './icons.ts';
import { profiles } from './profiles.ts';

const variable = 'LATCHKEY_CONFIG';

/** The configuration that names only the demo provider, whatever is in `src/config.json`. */
export const demoConfigPath = resolve(latchkey, 'tools/demo-provider/config.json');

/**
 * Reads the file that `LATCHKEY_CONFIG` names, or `src/config.json` if it is empty or not set. Throws a `FileError`
 * that names the file and the place in it.
 */
export function readConfigFile(configPath?: string): Config {
  const path = configPath ?? toConfigPath();
  return parseConfig(readText(path), path, project);
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

/** More lines would hide the first, which often explains the others. */
const maxLines = 50;

/**
 * Parses and validates a configuration. `fileName` is used in messages only. With `root`, the folder of
 * the project, the files of icons are checked too.
 *
 * Throws {@link FileError}: the lines of `parseJson` if the text isn't JSON, else those of `readConfig`, each after
 * its place, in the order of the text. A member that is missing has the place of its object.
 */
export function parseConfig(text: string, fileName: string, root?: string): Config {
  const parsed = parseJson(text, fileName);
  const reading = readConfig(parsed.value, profiles, (applied) =>
    root === undefined ? [] : findIconMistakes(applied, root),
  );
  if (reading.outcome === 'read') return reading.config;
  const { mistakes } = reading;
  const lines = mistakes
    .slice(0, maxLines)
    .map((mistake) => ({ offset: parsed.offsetOf(mistake.path), line: toProblem(parsed, mistake) }))
    .toSorted((one, other) => one.offset - other.offset)
    .map(({ line }) => line);
  const left = mistakes.length - lines.length;
  throw new FileError(left === 0 ? lines : [...lines, `${fileName}: ${left} more problems`]);
}
