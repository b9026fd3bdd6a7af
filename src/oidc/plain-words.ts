// A provider's sentence for the console. Some quote what they were sent, and no search finds a token in every spelling. So words of
// ordinary language stay, and everything else goes.

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
  const isPart = (chunk: string) =>
    squeeze(chunk).length >= minPartLength && spelt.some((secret) => secret.includes(squeeze(chunk)));
  return text
    .slice(0, maxLength)
    .split(/\s+/)
    .map((chunk) => (isPlain(chunk) && !isPart(chunk) ? chunk : withheld))
    .filter((chunk, at, all) => chunk !== withheld || all[at - 1] !== withheld)
    .join(' ');
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
