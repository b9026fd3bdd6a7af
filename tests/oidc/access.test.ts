import { expect, test } from 'vitest';
import {
  isGranted,
  isWider,
  toApiKey,
  toApiParameters,
  toOwnParameters,
  toWholeResource,
  toWholeScope,
} from '../../src/oidc/authorize.ts';
import { provider } from '../support/scripted-provider.ts';

const nothing = { name: null, scope: null, resource: null, audience: null };
const anApi = (own: object) => ({ ...nothing, origins: ['https://pay.example'], ...own });
const [main, payments] = ['https://api.example', 'urn:payments'];
const withApis = {
  ...provider,
  scope: 'openid',
  resource: main,
  apis: [
    anApi({ scope: 'pay', resource: payments }),
    anApi({ scope: 'bills pay', audience: 'bills' }),
    anApi({ resource: main }),
  ],
};

test('a sign-in asks for the scopes and resources of every API, each once', () => {
  expect(toWholeScope(withApis, {})).toBe('openid pay bills');
  const further = { own: 'notes', ofApis: 'bills.write' };
  expect(toWholeScope(withApis, further)).toBe('openid notes pay bills bills.write');
  expect(toWholeResource(withApis)).toEqual([main, payments]);
});

test('the token of a sign-in is requested with its own scope if an API has another one', () => {
  expect(toOwnParameters(withApis, {})).toEqual({ resource: main, scope: 'openid' });
  const wider = toOwnParameters(withApis, { own: 'notes', ofApis: 'pay' });
  expect(wider).toEqual({ resource: main, scope: 'openid notes' });
  const apis = [anApi({ resource: payments })];
  expect(toOwnParameters({ ...withApis, apis }, { own: 'notes' })).toEqual({ resource: main });
  expect(toOwnParameters(provider, {})).toEqual({});
});

test.each<[object, string, object]>([
  [{ audience: 'bills' }, '', { audience: 'bills' }],
  [{ audience: 'bills' }, 'bills.write', { audience: 'bills', scope: 'bills.write' }],
  [{ scope: 'pay', resource: payments }, '', { scope: 'pay', resource: payments }],
  [{ scope: 'pay' }, 'pay pay.write', { scope: 'pay pay.write' }],
])('the token of an API with %j and the scope %j is requested with %j', (own, additional, parameters) => {
  expect(toApiParameters(anApi(own), additional)).toEqual(parameters);
});

test('each difference in what a token is for gives it another key, and a name does not', () => {
  const keys = [{}, { scope: 'a' }, { resource: 'a' }, { audience: 'a' }].map((own) => toApiKey(anApi(own)));
  expect(new Set(keys).size).toBe(4);
  expect(toApiKey(anApi({ name: 'Payments', origins: [] }))).toBe(keys[0]);
});

test.each([
  ['notes.read', 'openid notes.read', true],
  ['notes.read', 'openid', false],
  ['notes.read notes.write', 'openid notes.read', false],
  ['notes.read', 'openid notes.reader', false],
  ['Notes.Read', 'openid https://api.example/notes.read', true],
  ['notes.read', 'openid https://api.example/my.notes.read', false],
  ['notes.read', '', false],
  ['notes.read', null, true],
  ['', 'openid', true],
])('isGranted of %j, where %j was granted, returns %j', (requested, granted, result) => {
  expect(isGranted(requested, granted)).toBe(result);
});

test.each<[string, string | undefined, string | null, boolean]>([
  ['of another API', 'pay', 'pay bills', true],
  ['of another API by its full name, with any space', 'pay', 'pay\t https://b.example/Bills', true],
  ['of the sign-in', 'pay', 'pay notes.read', true],
  ['of the sign-in that no API takes', 'pay', 'openid profile email offline_access pay', false],
  ['that no one has configured', 'pay', 'pay other', false],
  ['that it has asked for', 'pay bills', 'pay bills', false],
  ['although the request named none', undefined, 'pay bills', false],
  ['as far as the answer says', 'pay', null, false],
])('an answer with a scope %s is wider than its request or not', (_title, requested, granted, isSo) => {
  const settings = { ...withApis, scope: 'openid profile notes.read' };
  expect(isWider(settings, requested, granted)).toBe(isSo);
});
