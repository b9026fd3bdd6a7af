// Parses the text of a configuration file. Each message names the file, line and column.

import { readConfig, type Config } from '../../src/config/config.ts';
import { findIconMistakes } from './icons.ts';
import { FileError, parseJson, toProblem } from './parse-json.ts';
import { profiles } from './profiles.ts';

/** More lines would hide the first, which often explains the others. */
const maxLines = 50;

/**
 * Parses and validates a configuration. `fileName` is used in messages only. With `root`, the folder of
 * the project, the files of icons are checked too.
 *
 * Throws {@link FileError}: the lines of `parseJson` if the text is not JSON, else those of `readConfig`, each after
 * its place. A member that is missing has the place of its object.
 */
export function parseConfig(text: string, fileName: string, root?: string): Config {
  const parsed = parseJson(text, fileName);
  const reading = readConfig(parsed.value, profiles, (applied) =>
    root === undefined ? [] : findIconMistakes(applied, root),
  );
  if (reading.outcome === 'read') return reading.config;
  const { mistakes } = reading;
  const lines = mistakes.slice(0, maxLines).map((mistake) => toProblem(parsed, mistake));
  const left = mistakes.length - lines.length;
  throw new FileError(left === 0 ? lines : [...lines, `${fileName}: ${left} more problems`]);
}
