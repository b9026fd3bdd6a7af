import { expect, test } from 'vitest';
import { isDetour, toParts } from '../../../tools/doctor/flow.ts';

const id = 'acme';

test.each([
  ['the code flow', { id }, ['id-token', 'code', 'window']],
  ['an ID token from the page', { id, responseType: 'id_token' }, ['id-token', 'window']],
  ['plain OAuth 2', { id, userApi: { url: 'https://api.acme.example/me' } }, ['code', 'window']],
  ['a device flow in place of the window', { id, deviceFlow: 'only' }, ['id-token']],
  ['a device flow beside the window', { id, deviceFlow: 'fallback' }, ['id-token', 'code', 'window']],
] as const)('%s has the parts that the doctor checks', (_flow, settings, parts) => {
  expect(toParts(settings)).toEqual(parts);
});

test.each([
  [{ id, metadata: null }, false],
  [{ id, metadata: { userinfo_endpoint: null } }, false],
  [{ id, metadata: { token_endpoint: 'https://relay.acme.example/token/acme' } }, true],
  [{ id, metadata: null, deviceFlow: 'fallback' }, true],
  [{ id, metadata: null, responseType: 'id_token' }, true],
] as const)('%j is another way than the code flow at the provider: %s', (settings, detour) => {
  expect(isDetour(settings)).toBe(detour);
});
