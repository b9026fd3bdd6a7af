// Changes a text from outside as a fault or an attacker would: a member here, a few characters there, or a piece of another input.

import { foreignText } from './outcome.ts';

type Random = () => number;

const deep = (depth: number): unknown => (depth === 0 ? foreignText : { a: [deep(depth - 1)] });

/** Values on which parsers have failed before. */
const values: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e21,
  2 ** 53,
  '',
  ' ',
  '0',
  'none',
  'HS256',
  'Bearer',
  'DPoP',
  '__proto__',
  foreignText,
  `https://evil.example/${foreignText}`,
  `http://localhost:1/${foreignText}`,
  `javascript:alert('${foreignText}')`,
  `https://a:b@evil.example:99999/`,
  'https://xn--/',
  'https://[::1]/',
  `\u0000\u001b[31m\u202e\u200b${foreignText}`,
  '\ud800',
  `${foreignText} `.repeat(600),
  // What patterns that try again and again take long for.
  `${'a'.repeat(50_000)}!`,
  `x${' '.repeat(50_000)}x`,
  [],
  {},
  [[]],
  [null, foreignText],
  { toString: 1, constructor: foreignText },
  deep(40),
];

const pieces = [...'"\\{[]&=%#?/;,\n\u0000.:@', '%00', '..'];

const pick = <Item>(random: Random, items: readonly Item[]): Item | undefined =>
  items[Math.floor(random() * items.length)];

/** Copies of `text`, each with one member changed to one of the values, or left out. None if it is no JSON. */
export function* changeEachMember(text: string): Generator<string> {
  for (const at of placesIn(parse(text)).keys()) {
    for (const value of [...values, undefined]) {
      const root = parse(text);
      const { holder, name } = placesIn(root)[at]!;
      holder[name] = value;
      yield JSON.stringify(root);
    }
  }
}

/** A changed copy of `text`. `pool` has other inputs of the same kind. */
export function mutate(text: string, pool: readonly string[], random: Random): string {
  let changed = text;
  // One change mostly, and now and then several.
  do changed = mutateOnce(changed, pool, random);
  while (random() < 0.3);
  return changed.length > 300_000 ? changed.slice(0, 300_000) : changed;
}

function mutateOnce(text: string, pool: readonly string[], random: Random): string {
  const parsed = random() < 0.85 ? parse(text) : undefined;
  if (parsed === undefined) return mutateCharacters(text, pick(random, pool) ?? '', random);
  const others = parse(pick(random, pool) ?? 'null');
  return JSON.stringify(mutateMember(parsed, others, random)) ?? 'null';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // It is no JSON, so only its characters can be changed.
  }
}

interface Place {
  readonly holder: Record<string, unknown>;
  readonly name: string;
}

/** Every member of every object and array inside. */
function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((name) => [{ holder, name }, ...placesIn(holder[name])]);
}

/** Changes one member of `root`, which is a copy. */
function mutateMember(root: unknown, others: unknown, random: Random): unknown {
  const place = pick(random, placesIn(root));
  if (place === undefined || random() < 0.03) return pick(random, values);
  const { holder, name } = place;
  const other = pick(random, placesIn(others));
  const old = holder[name];
  const changes: readonly (() => void)[] = [
    () => (holder[name] = pick(random, values)),
    () => (holder[name] = pick(random, values)),
    () => (holder[name] = other?.holder[other.name]),
    () => (holder[other?.name ?? name] = other?.holder[other.name]),
    () => (holder[pick(random, placesIn(root))?.name ?? name] = old),
    () => (holder[name] = [old, old]),
    () => delete holder[name],
    // Another host.
    () => (holder[name] = typeof old === 'string' ? old.replace(/\/\/[^/]*/, '//evil.example') : old),
    () =>
      (holder[typeof old === 'string' ? name : foreignText] = mutateCharacters(
        typeof old === 'string' ? old : JSON.stringify(old ?? null),
        '',
        random,
      )),
    () =>
      (holder[name] = typeof old === 'number' ? String(old) : typeof old === 'string' ? Number(old) : old),
    () => (holder[name] = typeof old === 'number' ? old * 10 ** Math.floor(random() * 20 - 4) : [old]),
  ];
  pick(random, changes)?.();
  return root;
}

function mutateCharacters(text: string, other: string, random: Random): string {
  const at = Math.floor(random() * (text.length + 1));
  const end = Math.min(text.length, at + Math.floor(random() ** 3 * 40));
  const part = text.slice(at, end);
  const insert = pick(random, [
    '',
    pick(random, pieces) ?? '',
    part + part,
    part.repeat(Math.floor(random() * 200)),
    other.slice(at, at + 60),
    Buffer.from(part).toString('hex').replaceAll(/../g, '%$&'),
    part.toUpperCase(),
    foreignText,
    String.fromCodePoint(Math.floor(random() * 0xd7ff)),
  ]);
  return text.slice(0, at) + insert + text.slice(end);
}
