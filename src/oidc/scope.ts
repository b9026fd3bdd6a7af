// Scopes as they travel: names with spaces between them (RFC 6749 section 3.3).

/** The names of both, each once. */
export function joinScopes(one: string, other: string): string {
  return [...new Set(toNames(`${one} ${other}`))].join(' ');
}

/**
 * The first name of `asked` that `granted` lacks, or null. A provider that says nothing has granted all (RFC 6749
 * section 5.1). Some name a scope in full that was asked for by its last part: `https://api.example/notes.read`.
 */
export function findDenied(asked: string, granted: string | null): string | null {
  if (granted === null) return null;
  const names = toNames(granted.toLowerCase());
  const isGranted = (name: string) => names.some((one) => one === name || one.endsWith(`/${name}`));
  return toNames(asked).find((name) => !isGranted(name.toLowerCase())) ?? null;
}

function toNames(scope: string): string[] {
  return scope.split(' ').filter(Boolean);
}
