// A provider's sentence for the console. Some quote what they were sent, and no search finds a token in every spelling. So words of
// ordinary language stay, and everything else goes.

/** The parameters whose values are secrets of one request. The others are in the configuration or in a standard. */
const secretParameter = /(?:code|token|verifier|assertion|token_hint|state|nonce)$/;

/** Those of many requests at once, each of which sends a few. */
const maxSecrets = 60;

/** Remembers the values in the bodies of the last requests that the console mustn't repeat. */
export function createRecentSecrets() {
  let recent: readonly string[] = [];
  return {
    all: (): readonly string[] => recent,
    note(body: unknown): void {
      if (!(body instanceof URLSearchParams)) return;
      const values = [...body].flatMap(([name, value]) => (secretParameter.test(name) ? [value] : []));
      recent = [...recent, ...values].slice(-maxSecrets);
    },
  };
}

const withheld = '…';
/** A shorter text is in many words by chance. */
const minSecretLength = 4;
const minPartLength = 6;

/**
 * The words of a provider's text, with "…" for what may be a part of a token: anything with a mixture of letters, digits and signs,
 * whatever the encoding. If the text spells one of the `secrets` out, however it's divided, nothing of it stays.
 */
export function toPlainWords(text: string, secrets: readonly string[]): string {
  const spelt = secrets.map(squeeze).filter(({ length }) => length >= minSecretLength);
  if (spelt.some((secret) => squeeze(text).includes(secret))) return withheld;
  const chunks = text.slice(0, maxLength).split(/\s+/);
  const parts = findParts(chunks.map(squeeze), spelt);
  return chunks
    .map((chunk, at) => (isPlain(chunk) && !parts.has(at) ? chunk : withheld))
    .filter((chunk, at, all) => chunk !== withheld || all[at - 1] !== withheld)
    .join(' ');
}

/** The places of the chunks that, alone or with those beside them, are a part of a secret, and of numbers that spell one out. */
function findParts(chunks: readonly string[], secrets: readonly string[]): ReadonlySet<number> {
  const parts = new Set<number>();
  const isNumber = (at: number) => /^\d+$/.test(chunks[at] ?? '');
  for (const from of chunks.keys()) {
    if (isNumber(from) && (isNumber(from - 1) || isNumber(from + 1))) parts.add(from);
    let joined = '';
    for (let to = from; to < chunks.length; to += 1) {
      joined += chunks[to];
      if (!secrets.some((secret) => secret.includes(joined))) break;
      if (joined.length >= minPartLength) for (let at = from; at <= to; at += 1) parts.add(at);
    }
  }
  return parts;
}

const maxLength = 1_000;

function squeeze(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Whether this is a word, a short number or a code such as "AADSTS70008", perhaps within punctuation. */
function isPlain(chunk: string): boolean {
  const inner = chunk.replace(/^["'(]{1,3}/, '').replace(/["').,:;!?]{1,4}$/, '');
  return (
    /^(?:\d{1,4}|[A-Z]{1,10}\d{1,7}|)$/.test(inner) ||
    inner
      .split(/[-_'’/]/)
      .every((word) => /^(?:\p{Lu}?[\p{Ll}\p{Lo}]{1,24}|[aAI]|s|t|[A-Z]{2,8})$/u.test(word))
  );
}
