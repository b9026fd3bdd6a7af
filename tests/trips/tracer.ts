// A plugin that makes each function of `src` note its file and its name when it's entered.

import { relative, resolve } from 'node:path';
import { parseAst, type Plugin } from 'vite';

const src = resolve(import.meta.dirname, '../../src');
/** The fakes look messages up with it, as browsers do by themselves. */
const ofBrowser = 'popup/i18n/messages-file.ts';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

export function tracer(): Plugin {
  return {
    name: 'tracer',
    enforce: 'post',
    transform(code, id) {
      const path = id.replace(/\?.*$/, '');
      if (!path.startsWith(src) || !/\.tsx?$/.test(path) || path.endsWith(ofBrowser)) return null;
      const program = parseAst(code) as unknown as Node;
      return { code: withNotes(code, findFunctions(program, ''), relative(src, path)), map: null };
    },
    configureVitest({ experimental_defineCacheKeyGenerator: defineKey }) {
      defineKey(() => `traced without ${ofBrowser}`);
    },
  };
}

interface Found {
  readonly name: string;
  readonly body: Node;
}

/** Finds the functions below a node. Functions without a name go by the one around them, so that they count together as one. */
function findFunctions(value: unknown, name: string): readonly Found[] {
  if (Array.isArray(value)) return value.flatMap((one) => findFunctions(one, name));
  if (!isNode(value)) return [];
  const { type, id, key, body } = value;
  const isFunction = type.includes('Function') && isNode(body);
  const own = nameOf(id) ?? name;
  const inner = Object.entries(value).flatMap(([part, child]) => {
    if (type === 'VariableDeclarator' && part === 'init') return findFunctions(child, own);
    if (/Property|Method/.test(type) && part === 'value') return findFunctions(child, nameOf(key) ?? name);
    return findFunctions(child, isFunction ? `${own}>` : name);
  });
  return isFunction ? [{ name: own, body }, ...inner] : inner;
}

function nameOf(node: unknown): string | null {
  return isNode(node) && typeof node['name'] === 'string' ? node['name'] : null;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function withNotes(code: string, functions: readonly Found[], file: string): string {
  const inserts = functions.flatMap(({ name, body }) => {
    const note = `globalThis.enteredFunctions?.push(${JSON.stringify({ file, name })})`;
    if (body.type === 'BlockStatement') return [{ at: body.start + 1, text: `${note};` }];
    return [
      { at: body.start, text: `(${note},(` },
      { at: body.end, text: '))' },
    ];
  });
  return inserts
    .toSorted((one, other) => other.at - one.at)
    .reduce((text, { at, text: inserted }) => text.slice(0, at) + inserted + text.slice(at), code);
}
