// The mistakes in a configuration, each with its place.

import { quoteVisibly } from './visible.ts';

/** A place in JSON: the keys and indexes that lead to it. */
export type Path = readonly (string | number)[];

/** One mistake. */
export interface Mistake {
  readonly path: Path;
  /** The mistake in one line, without its place. */
  readonly text: string;
}

/** Everything wrong with a configuration. `problems` has one line for each mistake, beginning with its path. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly mistakes: readonly Mistake[];
  readonly problems: readonly string[];

  constructor(mistakes: readonly Mistake[]) {
    const problems = mistakes.map(({ path, text }) => `${formatPath(path) || 'configuration'}: ${text}`);
    super(problems.join('\n'));
    this.mistakes = mistakes;
    this.problems = problems;
  }
}

/** Formats a path as in JavaScript: `providers[0].issuer`. Empty for the whole. Only the beginning of a long key is shown. */
export function formatPath(path: Path): string {
  return path.reduce<string>((parent, key) => {
    if (typeof key === 'number') return `${parent}[${key}]`;
    const name = key.slice(0, 60);
    if (!/^[\w$]+$/.test(name)) return `${parent}[${quoteVisibly(name)}]`;
    return parent === '' ? name : `${parent}.${name}`;
  }, '');
}
