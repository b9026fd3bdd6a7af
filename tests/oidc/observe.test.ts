import { expect, test } from 'vitest';
import {
  observeClaims,
  observeParameters,
  observeRequest,
  observeResponse,
  observeTokens,
  observeUrl,
} from '../../src/oidc/observe.ts';
import { createSecrets, type Secrets } from '../../src/oidc/secrets.ts';
import { signIdToken } from '../support/scripted-provider.ts';

const value = 'v4lue-0f-s0mething';

function redactAfter(observe: (secrets: Secrets) => void, text: string): string {
  const secrets = createSecrets();
  observe(secrets);
  return secrets.redact(text);
}

const idToken = await signIdToken({
  iss: 'https://provider.example',
  sub: 'subject-of-ada',
  email: 'ada.king@example.com',
  name: 'Ada Lovelace',
  phone_number: 441_234_567,
  address: { locality: 'Marylebone', lines: ['12 St James Square'] },
});

test.each<[string, (secrets: Secrets) => void]>([
  ['a parameter', (secrets) => observeParameters(secrets, new URLSearchParams({ code: value }))],
  ['a login hint', (secrets) => observeParameters(secrets, new URLSearchParams({ login_hint: value }))],
  ['the query of a URL', (secrets) => observeUrl(secrets, `https://a.example/?state=${value}`)],
  ['the fragment of a URL', (secrets) => observeUrl(secrets, `https://a.example/#access_token=${value}`)],
  ['a token', (secrets) => observeTokens(secrets, [null, value])],
  ['a claim', (secrets) => observeClaims(secrets, { nickname: value })],
  ['a claim inside another', (secrets) => observeClaims(secrets, { a: { b: [{ c: value }] } })],
  ['the claim `nonce`', (secrets) => observeClaims(secrets, { nonce: value })],
  [
    'the Authorization of a request',
    (secrets) => observeRequest(secrets, '', new Headers({ authorization: `DPoP ${value}` }), null),
  ],
  [
    'the body of a request',
    (secrets) => observeRequest(secrets, '', new Headers(), new URLSearchParams({ refresh_token: value })),
  ],
  [
    'the URL of a request',
    (secrets) => observeRequest(secrets, `https://a.example/?nonce=${value}`, new Headers(), null),
  ],
  [
    'a token response',
    (secrets) =>
      observeResponse(secrets, new Headers(), new Headers(), JSON.stringify({ refresh_token: value })),
  ],
  [
    'a nonce for proofs',
    (secrets) => observeResponse(secrets, new Headers(), new Headers({ 'dpop-nonce': value }), ''),
  ],
  [
    'UserInfo',
    (secrets) =>
      observeResponse(
        secrets,
        new Headers({ authorization: 'Bearer x' }),
        new Headers(),
        JSON.stringify({ website: value }),
      ),
  ],
])('the value of %s is redacted', (_title, observe) => {
  expect(redactAfter(observe, `<${value}>`)).toBe('<…>');
});

test.each([
  ['subject-of-ada', '…'],
  ['ada.king@example.com', '…'],
  ['ada.king', '…'],
  ['Lovelace', '…'],
  ['441234567', '…'],
  ['Marylebone', '…'],
  ['12 St James Square', '…'],
  ['https://provider.example', 'https://provider.example'],
])('after an ID token the text %j becomes %j', (text, expected) => {
  expect(redactAfter((secrets) => observeTokens(secrets, [idToken]), text)).toBe(expected);
});

test.each<[string, (secrets: Secrets) => void]>([
  [
    'a parameter that is public',
    (secrets) => observeParameters(secrets, new URLSearchParams({ error: value })),
  ],
  ['a URL that is none', (secrets) => observeUrl(secrets, value)],
  ['a claim about the token', (secrets) => observeClaims(secrets, { iss: value, aud: [value] })],
  [
    'a discovery document',
    (secrets) => observeResponse(secrets, new Headers(), new Headers(), JSON.stringify({ issuer: value })),
  ],
  ['a body that is not JSON', (secrets) => observeResponse(secrets, new Headers(), new Headers(), value)],
  ['a body that is a number', (secrets) => observeResponse(secrets, new Headers(), new Headers(), '7')],
])('the value of %s is not redacted', (_title, observe) => {
  expect(redactAfter(observe, value)).toBe(value);
});

test.each(['', '.', 'a.b.c', '..', 'a.!.c', `a.${btoa('7')}.c`, `a.${btoa('{"a":')}.c`])(
  'the token %j holds no claims, and nothing is thrown',
  (token) => {
    expect(redactAfter((secrets) => observeTokens(secrets, [token]), 'text')).toBe('text');
  },
);

test('a claim that is named like a secret is personal, and no part of it is redacted', () => {
  const observe = (secrets: Secrets) => observeClaims(secrets, { state: 'California', code: 'B-1234-5678' });
  expect(redactAfter(observe, 'California, Californian, B-1234-567')).toBe('…, Californian, …');
});

test('one redirect, response or set of claims cannot push out what is known', () => {
  const secrets = createSecrets();
  secrets.addSecrets([value]);
  secrets.addPersonal(['ada@example.com']);
  const many = Array.from({ length: 5_000 }, (_, index) => `other-value-${index}`);
  observeUrl(secrets, `https://a.example/?${many.map((one) => `code=${one}`).join('&')}`);
  observeClaims(secrets, { nonce: many, name: many.join(' '), ...many });
  observeResponse(
    secrets,
    new Headers({ authorization: 'Bearer x' }),
    new Headers(),
    JSON.stringify({ access_token: many, many }),
  );
  expect(secrets.redact(`${value} ada@example.com`)).toBe('… …');
});

test('the usual claims are known although a provider sends thousands of others', () => {
  const others = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, index) => [`x${index}`, `other ${index}`]),
  );
  const observe = (secrets: Secrets) => observeClaims(secrets, { ...others, email: 'ada@example.com' });
  expect(redactAfter(observe, 'ada@example.com')).toBe('…');
});
