// Scope values: names separated by spaces (RFC 6749 section 3.3).

/** Joins scopes, without duplicates. */
export function joinScopes(...scopes: readonly string[]): string {
  return [...new Set(toNames(scopes.join(' ')))].join(' ');
}

/**
 * Returns the first scope in `requested` that is missing from `granted`, or null. A provider that returns no
 * scope has granted all (RFC 6749 section 5.1). Some return the full name of a scope requested by its last
 * segment: `https://api.example/notes.read`.
 */
export function findDenied(requested: string, granted: string | null): string | null {
  if (granted === null) return null;
  const names = toNames(granted.toLowerCase());
  const isGranted = (name: string) => names.some((full) => full === name || full.endsWith(`/${name}`));
  return toNames(requested).find((name) => !isGranted(name.toLowerCase())) ?? null;
}

function toNames(scope: string): string[] {
  return scope.split(' ').filter(Boolean);
}
