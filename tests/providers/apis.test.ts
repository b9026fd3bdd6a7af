// The token of a second API, at the shape of each provider whose profile says how an API is named.

import { expect, test } from 'vitest';
import { profiles } from '../../tools/build/profiles.ts';
import { takeTokens } from '../support/shape-server/journey.ts';
import type { Shape } from '../support/shape-server/shape.ts';
import { clientId } from '../support/shape-server/shape-server.ts';
import { shapes } from '../support/shape-server/shapes.ts';
import { readConfig } from '../support/samples.ts';

const pay = 'https://pay.acme.example';
const names = { scope: `${pay}/pay`, resource: pay, audience: pay };
const keys = ['scope', 'resource', 'audience'] as const;

/** Microsoft redeems a code for several APIs only if the sign-in has a permission of its own. */
const permission = 'openid offline_access https://graph.microsoft.com/User.Read';

/** The purposes of the three tokens of a session. The second is that of an API which is named by `key`. */
function take(shape: Shape, key: (typeof keys)[number], scope?: string): Promise<readonly string[]> {
  const { profile, team } = shape;
  const apis = [{ origins: [pay], [key]: names[key] }];
  const own = { id: 'own', name: 'Own', clientId, profile, scope, ...team, apis };
  const json = JSON.parse(JSON.stringify({ providers: [own] })) as unknown;
  const { providers } = readConfig(json, profiles);
  return takeTokens(shape, providers[0]!);
}

const known = shapes.flatMap((shape) => {
  const profile = profiles.find(shape.profile);
  return profile?.use === 'preset' && profile.apis !== undefined
    ? [{ profile: shape.profile, shape, by: profile.apis.by }]
    : [];
});
const ways = known.flatMap(({ by, ...one }) => (by === 'none' ? [] : { ...one, by }));

test('the profiles know each way', () => {
  expect(new Set(known.map(({ by }) => by))).toEqual(new Set([...keys, 'none']));
});

test.each(ways)(
  '$profile: an API with "$by" gets a token of its own, and the sign-in keeps its own',
  async ({ profile, shape, by }) => {
    const [own, api, renewed] = await take(shape, by, profile.startsWith('entra') ? permission : undefined);
    expect(api).toBe(pay);
    expect(own).not.toBe(pay);
    expect(renewed).toBe(own);
  },
);
