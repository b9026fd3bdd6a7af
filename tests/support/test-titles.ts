// The titles of the tests in a file, read from its source.

import { parseSync } from 'vite';

interface Node {
  readonly type: string;
  readonly [member: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;
const nodesOf = (value: unknown): Node[] => [value].flat().filter(isNode);
const childrenOf = (node: Node): Node[] => Object.values(node).flatMap(nodesOf);

/** A call of `test`, `it` or `describe`, as in `test.runIf(isLong).each(rows)('…', …)`. */
interface TestCall {
  readonly modifiers: readonly string[];
  /** The arguments of its modifiers: conditions and tables. */
  readonly tables: readonly Node[];
}

function readCallee(callee: Node): TestCall | null {
  const { type } = callee;
  if (type === 'Identifier') {
    return ['test', 'it', 'describe'].includes(String(callee['name'])) ? { modifiers: [], tables: [] } : null;
  }
  if (type === 'MemberExpression') {
    const [object] = nodesOf(callee['object']);
    const [property] = nodesOf(callee['property']);
    const inner = object === undefined ? null : readCallee(object);
    return inner && { ...inner, modifiers: [...inner.modifiers, String(property?.['name'])] };
  }
  const [applied] = type === 'CallExpression' ? nodesOf(callee['callee']) : [];
  const inner = applied === undefined ? null : readCallee(applied);
  return inner && { ...inner, tables: [...inner.tables, ...nodesOf(callee['arguments'])] };
}

/** The text of a string; that of a template up to its first substitution. */
function readText(node: Node | undefined): string | null {
  if (node?.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  const [first] = node?.type === 'TemplateLiteral' ? nodesOf(node['quasis']) : [];
  return first === undefined ? null : (first['value'] as { cooked: string }).cooked;
}

/**
 * The titles of the tests and groups in `source`, and the texts of the rows of their tables, each of which a title may be.
 * A test that is skipped has none, and neither has anything in a group that is skipped.
 */
export function readTitles(file: string, source: string): string[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const constants = new Map<unknown, Node>();
  const findConstants = (node: Node) => {
    const [id, init] =
      node.type === 'VariableDeclarator' ? [node['id'], node['init']].map((part) => nodesOf(part)[0]) : [];
    if (id !== undefined && init !== undefined) constants.set(id['name'], init);
    for (const child of childrenOf(node)) findConstants(child);
  };
  findConstants(program as unknown as Node);

  const readRows = (table: Node): string[] => {
    const rows = table.type === 'Identifier' ? constants.get(table['name']) : table;
    if (rows?.type !== 'ArrayExpression') return [];
    return nodesOf(rows['elements'])
      .flatMap((row) => (row.type === 'ArrayExpression' ? nodesOf(row['elements']) : row))
      .flatMap((cell) => readText(cell) ?? []);
  };
  const visit = (node: Node): string[] => {
    const [callee] = node.type === 'CallExpression' ? nodesOf(node['callee']) : [];
    const call = callee === undefined ? null : readCallee(callee);
    if (call?.modifiers.some((modifier) => ['skip', 'todo'].includes(modifier))) return [];
    const title = call === null ? null : readText(nodesOf(node['arguments'])[0]);
    const own = call === null || title === null ? [] : [title, ...call.tables.flatMap(readRows)];
    return [...own, ...childrenOf(node).flatMap(visit)];
  };
  return visit(program as unknown as Node);
}
