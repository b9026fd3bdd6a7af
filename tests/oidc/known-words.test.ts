import { describe, expect, test } from 'vitest';
import { toKnownWords } from '../../src/oidc/problems.ts';

describe('the console has what a developer looks for', () => {
  test.each([
    ['client_secret is missing.', 'client_secret … missing'],
    [
      'AADSTS70008: The provided authorization code or refresh token has expired.',
      'AADSTS70008 … authorization code … refresh token … expired',
    ],
    [
      "Tokens issued for the 'Single-Page Application' client-type may only be redeemed via cross-origin requests.",
      '… single-page … only … cross-origin …',
    ],
    ["PKCE verification failed: code_verifier doesn't match", "pkce … code_verifier doesn't match"],
    ['Unknown "redirect_uri" (https://a.example/?code=code-1)', 'unknown redirect_uri … code …'],
    ['Der Autorisierungscode ist ungültig.', '…'],
  ])('%s', (text, kept) => expect(toKnownWords(text)).toBe(kept));
});

describe('the console has nothing of what was sent, nor of a part of it, written', () => {
  const hex = (text: string) => Buffer.from(text).toString('hex');
  const numbers = (text: string) => [...text].map((letter) => letter.charCodeAt(0));
  test.each<[string, (secret: string) => string]>([
    ['as it is', (secret) => secret],
    ['in quotes', (secret) => `"${secret}".`],
    ['as base64', btoa],
    ['as hex', hex],
    ['as percent-encoding', (secret) => secret.replaceAll(/./g, (letter) => `%${hex(letter)}`)],
    [
      'as entities',
      (secret) =>
        numbers(secret)
          .map((code) => `&#${code};`)
          .join(''),
    ],
    ['as numbers', (secret) => numbers(secret).join(' ')],
    ['in capitals', (secret) => secret.toUpperCase()],
    ['backwards', (secret) => [...secret].toReversed().join('')],
    ['letter by letter', (secret) => [...secret].join(' ')],
    ['with spaces of no width', (secret) => [...secret].join('\u200b')],
    ['in parts', (secret) => (secret.match(/.{1,4}/g) ?? []).join(' ')],
    ['in parts, without its middle', (secret) => `${secret.slice(0, 5)} ... ${secret.slice(-5)}`],
    ['in an address', (secret) => `https://a.example/${secret}`],
  ])('%s', (_spelling, spell) => {
    for (const secret of ['SplxlOBeZQQYbYS6WxSbIA', 'quiet-river-stone', '90817263'])
      expect(toKnownWords(`The code ${spell(secret)} expired`)).toBe('… code … expired');
  });
});
