// UserInfo that has nothing to tell: it's asked at the sign-in, and not at each popup.

import { expect, test } from 'vitest';
import { hour, html, signedIn, status } from '../support/worker-setup.ts';

const json = (body: object, code: number) => Response.json(body, { status: code });

/** How often UserInfo is asked if the popup opens each hour for half a day. */
async function countRequests(answer: () => Response): Promise<number> {
  const script = { claims: { name: undefined }, answers: { '/userinfo': answer } };
  const { worker } = await signedIn({ ...script, token: { expires_in: 86_400 } });
  await worker.rest();
  for (let openings = 0; openings < 12; openings += 1) {
    await worker.openAfter(hour);
    await worker.rest();
  }
  return worker.provider.paths().filter((path) => path === '/userinfo').length;
}

const core = 'OpenID Connect Core';

test.each<[source: string, input: string, answer: () => Response]>([
  ['NotFound403/id-server#41', 'the scope is not enough', () => json({ error: 'insufficient_scope' }, 403)],
  [
    'keycloak/keycloak-documentation#1675',
    'its error is in a header alone',
    () => status(401, { 'www-authenticate': 'Bearer realm="x", error="invalid_token"' }),
  ],
  [
    'nextcloud/user_oidc#1117',
    'it is encrypted',
    () => new Response('e30.a.b.c.d', { headers: { 'content-type': 'application/jwt' } }),
  ],
  ['RFC 9110 section 15.5.5', 'it is not there', () => status(404)],
  [`${core} section 5.3.2`, 'it is about another user', () => json({ sub: 'eve' }, 200)],
  [`${core} section 5.3`, 'it knows no more', () => json({ sub: 'ada' }, 200)],
])('%s: UserInfo is asked once a day if %s', async (_source, _input, answer) => {
  expect(await countRequests(answer)).toBe(1);
});

test.each<[string, () => Response]>([
  ['fails', () => status(500)],
  ['is behind a captive portal', html],
])('UserInfo that %s is asked again when a page opens', async (_title, answer) => {
  expect(await countRequests(answer)).toBe(13);
});
