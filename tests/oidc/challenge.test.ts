import { expect, test } from 'vitest';
import { readDemand, type AccessOrder } from '../../src/oidc/challenge.ts';
import { parseCommand } from '../../src/session/commands.ts';

const api = 'https://api.example';
const stepUpError = 'insufficient_user_authentication';
const wanted = `error="${stepUpError}"`;
const stepUp = (acrValues: string | null, maxAgeSeconds: number | null) =>
  ({ type: 'step-up', acrValues, maxAgeSeconds, api }) as const;
const scope = (names: string): AccessOrder => ({ type: 'request-scope', scope: names, api });

test.each<[string, string, AccessOrder]>([
  ['contexts and an age', `Bearer ${wanted}, acr_values="mfa phr", max_age="300"`, stepUp('mfa phr', 300)],
  ['an age alone', `Bearer ${wanted}, max_age=60`, stepUp(null, 60)],
  ['an age of zero', `Bearer ${wanted}, acr_values="mfa", max_age=0`, stepUp('mfa', 0)],
  ['an empty context', `Bearer ${wanted}, acr_values="", max_age=60`, stepUp(null, 60)],
  ['an age that is no number', `Bearer ${wanted}, acr_values="mfa", max_age="1h"`, stepUp('mfa', null)],
  ['an age that ends in a number', `Bearer ${wanted}, acr_values="mfa", max_age="h1"`, stepUp('mfa', null)],
  ['an age of ten digits', `Bearer ${wanted}, acr_values="mfa", max_age=1234567890`, stepUp('mfa', null)],
  ['nothing more, and so a new authentication', `DPoP ${wanted}`, stepUp(null, 0)],
  ['a context, behind another one', `Basic realm="x", DPoP ${wanted}, acr_values="mfa"`, stepUp('mfa', null)],
  ['scopes', 'Bearer error="insufficient_scope", scope=" pay.read  pay.write"', scope('pay.read pay.write')],
  [
    'a scope, behind one that no page can show',
    'Bearer error="insufficient_scope", scope="pay\u00e4", DPoP error="insufficient_scope", scope="pay"',
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
