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

/** A rule for a setting, and the text for one that breaks it. */
export type Rule = readonly [isBroken: boolean, path: Path, text: string];

/** One mistake for each rule that is broken. */
export function mistakesOf(rules: readonly Rule[]): Mistake[] {
  return rules.filter(([isBroken]) => isBroken).map(([, path, text]) => ({ path, text }));
}

/** The mistakes that `find` finds in each provider, whose paths begin there. */
export function findInEach<P>(providers: readonly P[], find: (provider: P) => readonly Mistake[]): Mistake[] {
  return providers.flatMap((provider, index) =>
    find(provider).map(({ path, text }) => ({ path: ['providers', index, ...path], text })),
  );
}

/** One line for each mistake, beginning with its path. `whole` names the place of one without a path. */
export function toLines(mistakes: readonly Mistake[], whole: string): readonly string[] {
  return mistakes.map(({ path, text }) => `${formatPath(path) || whole}: ${text}`);
}

/** Everything wrong with a configuration, in lines as {@link toLines} writes them. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly mistakes: readonly Mistake[];
  readonly problems: readonly string[];

  constructor(mistakes: readonly Mistake[]) {
    const problems = toLines(mistakes, 'configuration');
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
