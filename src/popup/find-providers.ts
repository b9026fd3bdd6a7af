// The search in a long list of providers.

interface Named {
  readonly name: string;
}

/** Those whose name has every word of the query somewhere in it; capitals and accents do not count. */
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
