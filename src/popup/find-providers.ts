// Searches a long list of providers.

interface Named {
  readonly name: string;
}

/** The providers whose name contains every word of the query. Ignores case and accents. */
export function findProviders<Provider extends Named>(
  providers: readonly Provider[],
  query: string,
): readonly Provider[] {
  const words = toPlain(query).split(/\s+/u);
  return providers.filter(({ name }) => words.every((word) => toPlain(name).includes(word)));
}

function toPlain(words: string): string {
  return words.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
