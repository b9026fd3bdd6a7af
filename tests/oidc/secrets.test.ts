import { describe, expect, test } from 'vitest';
import { maxBodyBytes } from '../../src/oidc/body.ts';
import { isOrdinary } from '../../src/oidc/ordinary-words.ts';
import { createSecrets } from '../../src/oidc/secrets.ts';
import { fc } from '../support/property.ts';

const token = 'kJ8/xQ+2mZ==tR7_vW-4';

function redactorOf(secret: string[], personal: string[] = [], publicTexts: string[] = []) {
  const secrets = createSecrets(publicTexts);
  secrets.addSecrets(secret);
  secrets.addPersonal(personal);
  return secrets.redact;
}

describe('a secret', () => {
  test.each([
    ['as it is', token],
    ['in upper case', token.toUpperCase()],
    ['in lower case', token.toLowerCase()],
    ['percent-encoded', encodeURIComponent(token)],
    ['percent-encoded in lower case', encodeURIComponent(token).toLowerCase()],
    ['in base64', Buffer.from(token).toString('base64').replaceAll('=', '')],
    ['in base64url', Buffer.from(token).toString('base64url')],
    ['without its end', token.slice(0, -3)],
    ['without its beginning', token.slice(3)],
    ['cut to eight characters', token.slice(6, 14)],
  ])('is redacted %s', (_title, shown) => {
    expect(redactorOf([token])(`token: no (${shown})`)).toBe('token: no (…)');
  });

  test('is redacted each time, also beside another', () => {
    expect(redactorOf([token, 'another-secret'])(`${token}${token} another-secret ${token}`)).toBe('… … …');
  });

  test('that is short is redacted as a whole', () => {
    expect(redactorOf(['x7y8z9'])('no x7y8z9, no x7y8z')).toBe('no …, no x7y8z');
  });

  test('of fewer than six characters is not compared', () => {
    expect(redactorOf(['token', '', '  '])('no such token')).toBe('no such token');
  });

  test('in a part of seven characters stays, because it is of no use', () => {
    expect(redactorOf([token])(`no ${token.slice(0, 7)} here`)).toBe(`no ${token.slice(0, 7)} here`);
  });

  test.each(['invalid_grant', 'request_uri', 'urn:ietf:params:oauth:request_uri:'])(
    'that is the word %s spoils no detail',
    (word) => {
      const detail = `token: ${word} (HTTP 400)`;
      expect(
        redactorOf([word, 'urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c'], [word])(detail),
      ).toBe(detail);
    },
  );

  test('that is a public value stays', () => {
    const redact = redactorOf(
      ['https://provider.example'],
      ['client-of-ours'],
      ['https://provider.example', 'client-of-ours'],
    );
    expect(redact('client-of-ours at https://provider.example')).toBe(
      'client-of-ours at https://provider.example',
    );
  });

  test('is found in a text that contains it as a whole', () => {
    const secrets = createSecrets();
    secrets.addSecrets([token]);
    expect(secrets.containsSecret(`Ada ${token}`)).toBe(true);
    expect(secrets.containsSecret(`Ada ${token.slice(1)}`)).toBe(false);
  });

  test('is forgotten when a hundred newer ones are known', () => {
    const secrets = createSecrets();
    const others = Array.from({ length: 99 }, (_, index) => `other-${index}-${'x'.repeat(index % 9)}`);
    secrets.addSecrets([token, ...others]);
    expect(secrets.redact(token)).toBe('…');
    secrets.addSecrets(['one-more-secret']);
    expect(secrets.redact(token)).toBe(token);
  });

  test('is forgotten when newer ones have the length of two answers', () => {
    const secrets = createSecrets();
    secrets.addSecrets([token, 'x'.repeat(maxBodyBytes), 'y'.repeat(maxBodyBytes - token.length)]);
    expect(secrets.redact(token)).toBe('…');
    secrets.addSecrets(['one-more-secret']);
    expect(secrets.redact(token)).toBe(token);
  });

  test('is remembered although it is longer than two answers', () => {
    expect(redactorOf([token + 'x'.repeat(3 * maxBodyBytes)])(`no ${token}`)).toBe('no …');
  });

  test('that is repeated counts once', () => {
    const secrets = createSecrets();
    const long = 'x'.repeat(maxBodyBytes);
    secrets.addSecrets([token, long, long, long]);
    expect(secrets.redact(token)).toBe('…');
  });

  test('is found in a text that is cut where it begins, or ends, or in its middle', () => {
    const before = '-'.repeat(1_000 - 10);
    for (const shown of [token, token.slice(-10), token.slice(0, 10), token.slice(0, 6)]) {
      const redacted = redactorOf([token])((before + shown).slice(0, 1_000));
      expect(redacted).toBe(`${before}…`);
    }
  });

  test('that follows the first 1,000 characters of a text is left out with all that follows', () => {
    const before = '-'.repeat(1_000);
    expect(redactorOf([token])(`${before}${token} and more`)).toBe(before);
  });

  test('is not pushed out by any number of claims', () => {
    const secrets = createSecrets();
    secrets.addSecrets([token]);
    secrets.addPersonal(Array.from({ length: 5_000 }, (_, index) => `claim number ${index}`));
    expect(secrets.redact(token)).toBe('…');
  });
});

describe('a personal value', () => {
  test.each([
    ['ada@example.com', 'no ADA@Example.com here', 'no … here'],
    ['ada@example.com', 'no ada%40example.com here', 'no … here'],
    ['a@b.c', 'no a@b.c here', 'no … here'],
    ['Ada Lovelace', 'no Ada+Lovelace here', 'no … here'],
    ['Zoë Müller', 'no Zo  M ller here', 'no … here'],
    ['https://p.example/a?size=2', 'no https://p.example/a?… here', 'no … here'],
    ['Lovelace', 'no Lovelace here', 'no … here'],
    ['Lovelace', 'no lovelaces here', 'no lovelaces here'],
    ['ada@example.com', 'https://example.com answered', 'https://example.com answered'],
    ['ada@example.com', 'the text ends with ada@exam', 'the text ends with …'],
    ['Ada', 'Adapters', 'Adapters'],
    ['\ud800 is no character', 'no', 'no'],
  ])('%j turns %j into %j', (value, text, expected) => {
    expect(redactorOf([], [value])(text)).toBe(expected);
  });
});

const details = [
  'discovery: the issuer calls itself https://other.example, configured is https://provider.example',
  'discovery: authorization_endpoint is not an https URL',
  'keys: the answer is not a key set',
  'discovery: HTTP 404 at https://provider.example/.well-known/openid-configuration',
  'register this client ID, or correct "clientId" in the configuration; sign-in page: HTTP 400',
  'pushed request: the provider names no endpoint for it',
  'redirect: not the redirect URI of this provider',
  'redirect: a parameter is repeated',
  'redirect: a parameter in the fragment',
  'ID token: an audience that is not in "trustedAudiences" [aud]',
  'ID token: another authorized party than at the sign-in [azp]',
  'ID token: none of the authentication contexts asked for [acr]',
  'ID token: its key or its signature cannot be read',
  'renewal: the key of the tokens is gone',
  'token: unexpected JWT "exp" (expiration time) claim value, expiration is past current timestamp [exp]',
  'token: server responded with an error in the response body',
  'provider.example answered with HTTP 500.',
  'provider.example did not answer.',
  'provider.example redirects where it should answer.',
];

test.each(details)('a person or a token named like a word of «%s» does not spoil it', (detail) => {
  const words = detail.split(/[^\w-]+/).filter((word) => !/example/.test(word));
  expect(redactorOf(words, words, ['https://provider.example'])(detail)).toBe(detail);
});

test('whatever surrounds a secret, no eight characters of it remain', () =>
  fc.assert(
    fc.property(
      fc.string({ minLength: 8, maxLength: 40 }),
      fc.string({ maxLength: 20 }),
      fc.string({ maxLength: 20 }),
      (secret, before, after) => {
        const lower = secret.trim().toLowerCase();
        fc.pre(lower.length >= 8 && !isOrdinary(lower));
        const shown = redactorOf([secret])(before + secret + after).toLowerCase();
        for (let start = 0; start + 8 <= lower.length; start += 1) {
          if (shown.includes(lower.slice(start, start + 8))) return false;
        }
        return true;
      },
    ),
  ));
