// The sizes in a heap snapshot of V8: its JSON has a flat list of numbers, a few for each object.

interface Snapshot {
  readonly snapshot: {
    readonly meta: {
      /** The names of an object's numbers. */
      readonly node_fields: readonly string[];
      /** By the position of the field: the names of its values, or the type of all of them. */
      readonly node_types: readonly (readonly string[] | string)[];
    };
  };
  readonly nodes: readonly number[];
}

export interface HeapSizes {
  /** Of all objects, in bytes. */
  readonly all: number;
  /** Of compiled code, and of what the compiler notes about it. */
  readonly code: number;
}

export function readSnapshot(json: string): HeapSizes {
  const { snapshot, nodes } = JSON.parse(json) as Snapshot;
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')];
  const code = types[type]?.indexOf('code') ?? -1;
  if (size === -1 || code === -1) throw new Error('The heap snapshot has another form than expected.');
  const sizes = { all: 0, code: 0 };
  for (let at = 0; at < nodes.length; at += fields.length) {
    const bytes = nodes[at + size] ?? 0;
    sizes.all += bytes;
    if (nodes[at + type] === code) sizes.code += bytes;
  }
  return sizes;
}
