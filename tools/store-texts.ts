// Compares what the extension asks for with the justifications in docs/store/permissions.md.

/** Where the justifications are. */
export const justificationsFile = 'docs/store/permissions.md';

/** Returns the permissions of a built manifest that the document has no row for. Host permissions share one row. */
export function findUnjustified(
  manifest: Readonly<Record<string, unknown>>,
  document: string,
): readonly string[] {
  const justified = readJustified(document);
  const asked = [
    ...namesIn(manifest['permissions']),
    ...namesIn(manifest['optional_permissions']),
    ...['host_permissions', 'optional_host_permissions'].filter((key) => namesIn(manifest[key]).length > 0),
  ];
  return [...new Set(asked)].filter((name) => !justified.includes(name));
}

/** Returns the permissions that the document has a row for. */
export function readJustified(document: string): readonly string[] {
  return [...document.matchAll(/^\| `([\w.]+)` +\| +[^| ]/gm)].map(([, name = '']) => name);
}

function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
