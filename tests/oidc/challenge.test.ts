import { describe, expect, test } from 'vitest';
import type { Api, Provider } from '../../src/config/provider.ts';
import { expectOwnScope } from '../../src/parts/apis.ts';
import { expectRequestable, readDemand, type AccessOrder } from '../../src/oidc/challenge.ts';
import { parseCommand } from '../../src/session/commands.ts';
import { readConfig, withAcme } from '../support/samples.ts';

const api = 'https://api.example';
const stepUpError = 'insufficient_user_authentication';
const wanted = `error="${stepUpError}"`;
const stepUp = (acrValues: string | null, maxAgeSeconds: number | null) =>
  ({ type: 'step-up', acrValues, maxAgeSeconds, api }) as const;
const scope = (names: string): AccessOrder => ({ type: 'request-scope', scope: names, api });

const noScope = 'Bearer error="insufficient_scope"';

test.each<[string, string, AccessOrder]>([
  ['contexts and an age', `Bearer ${wanted}, acr_values="mfa phr", max_age="300"`, stepUp('mfa phr', 300)],
  ['an age alone', `Bearer ${wanted}, max_age=60`, stepUp(null, 60)],
  ['them with any space', `Bearer ${wanted}, acr_values="  a \t b ", max_age=" 300 "`, stepUp('a b', 300)],
  ['an age of zero', `Bearer ${wanted}, acr_values="mfa", max_age=0`, stepUp('mfa', 0)],
  ['an empty context', `Bearer ${wanted}, acr_values="", max_age=60`, stepUp(null, 60)],
  ['an age that is no number', `Bearer ${wanted}, acr_values="mfa", max_age="1h"`, stepUp('mfa', null)],
  ['an age that ends in a number', `Bearer ${wanted}, acr_values="mfa", max_age="h1"`, stepUp('mfa', null)],
  ['an age of ten digits', `Bearer ${wanted}, acr_values="mfa", max_age=1234567890`, stepUp('mfa', null)],
  ['nothing more, and so a new authentication', `DPoP ${wanted}`, stepUp(null, 0)],
  ['a context, behind another one', `Basic realm="x", DPoP ${wanted}, acr_values="mfa"`, stepUp('mfa', null)],
  ['scopes', `${noScope}, scope=" pay.read  pay.write"`, scope('pay.read pay.write')],
  ['scopes with space of any kind', `${noScope}, scope="pay\tmail "`, scope('pay mail')],
  ['a scope, behind one that no page shows', `${noScope}, scope="ä", ${noScope}, scope="pay"`, scope('pay')],
  [
    'a scope, behind texts with commas and quotation marks',
    'Negotiate YWI=, Bearer realm="a, scope=\\"b\\", Basic c", error=insufficient_scope ,scope = "pay"',
    scope('pay'),
  ],
])('a challenge asks for %s', async (_title, header, demand) => {
  const error = demand.type === 'step-up' ? stepUpError : 'insufficient_scope';
  expect(await readDemand(header, error, api)).toEqual(demand);
  expect(parseCommand(demand)).toEqual(demand);
});

test.each<[string, string]>([
  ['another error', 'Bearer error="invalid_token", scope="pay"'],
  ['no error', 'Bearer scope="pay"'],
  ['a scope that it does not name', 'Bearer error="insufficient_scope"'],
  ['a scope that no page can show', 'Bearer error="insufficient_scope", scope="pay\u00e4"'],
  ['a context that no page can show', `Bearer ${wanted}, acr_values="${'a'.repeat(501)}"`],
  ['nothing in the form of a challenge', '====='],
  ['what no header can hold', `Bearer ${wanted}\n`.repeat(2)],
  ['more than is read', `Bearer ${wanted}, x="${'x'.repeat(4_096)}"`],
])('a challenge with %s asks for nothing', async (_title, header) => {
  for (const error of ['insufficient_scope', stepUpError] as const)
    expect(await readDemand(header, error, api)).toBeNull();
});

describe('an API may ask for', () => {
  const graph = 'https://graph.example';
  const origins = (name: string) => [`https://${name}.example`];
  const settings = withAcme({
    scope: 'openid notes.read',
    apiOrigins: origins('notes'),
    apis: [
      { origins: origins('pay'), scope: 'pay', resource: 'https://pay.example' },
      { origins: origins('mail'), scope: `${graph}/Mail.Read`, audience: 'mail' },
      { origins: origins('files'), scope: `${graph}/Files.Read`, requestableScope: 'files.write' },
    ],
  });
  const provider = readConfig(settings).providers[0]!;
  const [pay = null, mail = null, files = null] = provider.apis;
  const isRequestable = (asking: Api | null, names: string, change: Partial<Provider> = {}) => {
    try {
      const changed = { ...provider, ...change };
      expectRequestable(asking ?? changed, names);
      expectOwnScope(changed, asking, names);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'not-permitted' });
      return false;
    }
  };

  test.each([
    ['a further scope', pay, 'pay.write'],
    ['its own scope', pay, 'pay'],
    ['a scope with its own name in front', pay, 'https://pay.example/notes.read'],
    ['another scope of a host that two APIs share', mail, `${graph}/Mail.Send`],
    ['a scope of the sign-in, whose token it gets', null, 'notes.read openid'],
    ['a listed scope', files, 'files.write'],
    ['its own scope, which needs no list', files, `${graph}/Files.Read`],
  ])('%s', (_what, asking, names) => expect(isRequestable(asking, names)).toBe(true));

  test.each([
    ["another API's scope", pay, `pay ${graph}/Mail.Read`],
    ["another API's scope in another case", pay, `${graph}/MAIL.READ`],
    ["another API's scope by its last segment", pay, 'Mail.Read'],
    ["a scope that begins with another API's address", mail, 'https://pay.example/refund'],
    ["a scope that begins with another API's audience", pay, 'mail/send'],
    ["a scope that begins like another API's", pay, `${graph}/Mail.Send`],
    ['a scope of the sign-in', pay, 'notes.read'],
    ["an API's scope for the token of the sign-in", null, 'pay'],
    ['a scope that is not in its list', files, 'files.delete'],
  ])('not %s', (_what, asking, names) => expect(isRequestable(asking, names)).toBe(false));

  test('nothing more at the sign-in with an empty list', () => {
    expect(isRequestable(null, 'notes.write')).toBe(true);
    expect(isRequestable(null, 'notes.write', { requestableScope: '' })).toBe(false);
  });
});
