// The mistakes in a configuration, each with its place and what was found there.

import type * as v from 'valibot';
import type { Provider } from './provider.ts';
import { refusedKey } from './value-schema.ts';
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

/** The rules for a provider whose settings have the right form. Their paths begin at the provider. */
export type FindMistakes = (provider: Provider) => readonly Rule[];

/** One mistake for each rule that is broken, whose path begins at `place`. */
export function mistakesOf(rules: readonly Rule[], place: Path = []): Mistake[] {
  return rules
    .filter(([isBroken]) => isBroken)
    .map(([, path, text]) => ({ path: [...place, ...path], text }));
}

/** The mistakes that `find` finds in each provider. */
export function findInEach(providers: readonly Provider[], find: FindMistakes): Mistake[] {
  return providers.flatMap((provider, index) => mistakesOf(find(provider), ['providers', index]));
}

/** The mistakes without the members that are missing only because their names are misspelled. */
export function withoutMisspelled(mistakes: readonly Mistake[]): readonly Mistake[] {
  const meant = new Set(
    mistakes.map(({ path, text }) =>
      formatPath([...path.slice(0, -1), /^unknown key; did you mean "(.+)"\?/.exec(text)?.[1] ?? '']),
    ),
  );
  return mistakes.filter(({ path, text }) => !text.startsWith('missing') || !meant.has(formatPath(path)));
}

/** One line for each mistake, beginning with its path. `whole` names the place of one without a path. */
export function toLines(mistakes: readonly Mistake[], whole: string): readonly string[] {
  return mistakes.map(({ path, text }) => `${formatPath(path) || whole}: ${text}`);
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

/** Converts an issue of valibot, whose message says what was expected, or why a key is refused. */
export function toMistake({ path, type, input, message }: v.BaseIssue<unknown>): Mistake {
  return {
    path: (path ?? []).map(({ key }) => key as string | number),
    text: type === refusedKey ? message : `${describe(input)}; expected ${message}`,
  };
}

/** Describes a value without revealing anything confidential in it. */
export function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null || typeof value === 'boolean') return `found ${value}`;
  if (typeof value === 'number')
    return Number.isFinite(value) ? `found ${value}` : 'found a number that is too large';
  if (typeof value === 'string') return `found ${quote(value)}`;
  if (!Array.isArray(value)) return 'found an object';
  return value.length === 0 ? 'found an empty list' : `found a list of ${value.length}`;
}

/** Quotes at most 80 characters, without what may be a password before an "@", and without a query or fragment. */
export function quote(text: string): string {
  const colon = text.indexOf(':');
  const at = text.lastIndexOf('@');
  const withoutPassword = colon !== -1 && colon < at ? `…${text.slice(at)}` : text;
  const redacted = withoutPassword.replace(/([?#]).*/s, '$1…');
  return quoteVisibly(redacted.length > 80 ? `${redacted.slice(0, 80)}…` : redacted);
}
