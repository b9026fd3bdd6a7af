import { describe, expect, test } from 'vitest';
import { createRecentSecrets } from '../../src/oidc/http.ts';
import { toPlainWords } from '../../src/oidc/plain-words.ts';

const code = 'SplxlOBeZQQYbYS6WxSbIA';
const refresh = 'quiet-river-stone';
const secrets = [code, refresh];

describe('the console keeps', () => {
  test.each([
    'client_secret is missing.',
    'AADSTS70008: The refresh token has expired (HTTP 400).',
    "Tokens issued for the 'Single-Page Application' client-type may only be redeemed via cross-origin requests.",
    'PKCE verification failed: code_verifier doesn’t match',
    'Der Autorisierungscode ist ungültig oder abgelaufen.',
  ])('%s', (text) => expect(toPlainWords(text, secrets)).toBe(text));
});

describe('the console never repeats what was sent, nor a part of it', () => {
  const base64 = (text: string) => btoa(text);
  const hex = (text: string) => Buffer.from(text).toString('hex');
  test.each<[string, (secret: string) => string]>([
    ['as it is', (secret) => secret],
    ['in quotes', (secret) => `"${secret}".`],
    ['as base64', base64],
    ['as base64url', (secret) => base64(secret).replaceAll('=', '')],
    ['as hex', hex],
    ['as percent-encoding', (secret) => secret.replaceAll(/./g, (letter) => `%${hex(letter)}`)],
    ['as entities', (secret) => secret.replaceAll(/./g, (letter) => `&#${letter.charCodeAt(0)};`)],
    ['in capitals', (secret) => secret.toUpperCase()],
    ['letter by letter', (secret) => [...secret].join(' ')],
    ['in parts', (secret) => (secret.match(/.{1,3}/g) ?? []).join(' ')],
    ['without its end', (secret) => secret.slice(0, -3)],
    ['as JSON escapes', (secret) => [...secret].map((letter) => `\\u00${hex(letter)}`).join('')],
    ['in an address', (secret) => `https://a.example/?code=${secret}`],
  ])('%s', (_spelling, spell) => {
    for (const secret of secrets) {
      const said = toPlainWords(`The code ${spell(secret)} is wrong`, secrets);
      expect(said).toMatch(/^(?:The code … is wrong|…)$/);
    }
  });

  test('even if nothing is known of what was sent', () => {
    const jwt = 'eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl';
    expect(toPlainWords(`Bad hint ${jwt} of ada@example.com and ${code}`, [])).toBe('Bad hint … of … and …');
  });
});

test('what a request sends is a secret, apart from what the configuration or a standard has', () => {
  const { note, all } = createRecentSecrets();
  const sent = { grant_type: 'refresh_token', client_id: 'client', refresh_token: refresh };
  note(new URLSearchParams({ ...sent, client_assertion: 'ey' }));
  note(null);
  expect(all()).toEqual([refresh, 'ey']);
  for (let at = 0; at < 100; at += 1) note(new URLSearchParams({ code: `code-${at}` }));
  expect(all()).toHaveLength(60);
});
