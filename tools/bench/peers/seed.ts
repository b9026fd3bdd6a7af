// Fills a peer's storage with a session, and says in the page's title that it has.

export const email = 'marisol@example.com';
export const subject = 'marisol';
export const expiresAt = Math.floor(Date.now() / 1000) + 24 * 60 * 60;

const encode = (value: object) =>
  btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** An ID token in form alone: the peers have verified theirs before they store it. */
export function idToken(): string {
  const payload = {
    iss: 'https://provider.example/',
    aud: 'client',
    sub: subject,
    email,
    name: 'Marisol',
    iat: expiresAt - 86_400,
    exp: expiresAt,
  };
  return `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(payload)}.c2lnbmF0dXJl`;
}

export async function seed(store: () => Promise<unknown> | unknown): Promise<void> {
  try {
    await store();
    document.title = 'seeded';
  } catch (error) {
    document.title = `failed: ${String(error)}`;
  }
}
