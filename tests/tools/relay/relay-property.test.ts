// Properties that hold for every request and every answer.

import { expect, test } from 'vitest';
import { fc } from '../../support/property.ts';
import {
  acme,
  createRelayScene,
  redemption,
  renewal,
  revocation,
  tokenResponse,
} from '../../support/relay-scene.ts';

const named: Readonly<Record<string, readonly string[]>> = {
  authorization_code: ['grant_type', 'code', 'redirect_uri', 'code_verifier', 'scope', 'resource'],
  refresh_token: ['grant_type', 'refresh_token', 'scope', 'resource', 'audience'],
  revocation: ['token', 'token_type_hint'],
};

const others = ['client_secret', 'client_assertion', 'username', 'audience', 'redirect_uri', '__proto__'];
const anyName = fc.oneof(fc.string(), fc.constantFrom(...others, 'token'));
const extra = fc.array(fc.tuple(anyName, fc.string()), { maxLength: 5 });
const base = fc.constantFrom(
  ['/token/acme', redemption] as const,
  ['/token/acme', renewal] as const,
  ['/revoke/acme', revocation] as const,
);

const secrets = [acme.clientSecret, encodeURIComponent(acme.clientSecret)];

test('nothing but the named fields is ever forwarded, nothing of the caller’s authenticates, and no secret is logged', async () => {
  await fc.assert(
    fc.asyncProperty(base, extra, fc.boolean(), async ([path, fields], more, isFirst) => {
      const own = Object.entries(fields);
      const form = new URLSearchParams(isFirst ? [...more, ...own] : [...own, ...more]);
      const { post, forwarded, log } = createRelayScene();
      await post(path, form.toString(), { cookie: 'a=b', 'x-forwarded-for': '1', 'user-agent': 'x' });
      for (const { url, form: sent, headers } of forwarded) {
        expect([acme.tokenEndpoint, acme.revocationEndpoint]).toContain(url);
        const kind = 'grant_type' in fields ? fields.grant_type : 'revocation';
        const strays = [...sent.keys()].filter((name) => !named[kind]?.includes(name));
        expect(strays).toEqual([]);
        expect(new Set(sent.keys()).size).toBe([...sent.keys()].length);
        expect([...headers.keys()].toSorted()).toEqual(['accept', 'authorization', 'content-type']);
      }
      for (const secret of [...secrets, 'code-1', 'refresh-1'])
        expect(JSON.stringify(log)).not.toContain(secret);
    }),
  );
});

const planted = fc.constantFrom(...secrets, `x${acme.clientSecret}x`);
const anyAnswer = fc.oneof(
  fc.json(),
  fc.string(),
  fc
    .record(
      {
        access_token: fc.oneof(fc.constant('access-1'), fc.anything(), planted),
        token_type: fc.constantFrom('Bearer', 1, null),
        scope: fc.oneof(fc.array(fc.string()), planted),
        error: fc.oneof(fc.string(), planted),
        error_description: fc.oneof(fc.string(), planted),
        extra: planted,
      },
      { requiredKeys: [] },
    )
    .map((members) =>
      JSON.stringify(members, (_key, value: unknown) => (typeof value === 'bigint' ? 0 : value)),
    ),
);

test('whatever the provider answers, the secret is not in it', async () => {
  await fc.assert(
    fc.asyncProperty(anyAnswer, fc.integer({ min: 200, max: 599 }), async (text, status) => {
      const sent = [204, 205, 304].includes(status) ? null : text;
      const { post, log } = createRelayScene({ answer: () => new Response(sent, { status }) });
      const answer = await post('/token/acme', redemption);
      const body = await answer.text();
      for (const secret of secrets) expect(JSON.stringify([body, log])).not.toContain(secret);
    }),
    { examples: [[JSON.stringify(tokenResponse), 200]] },
  );
});
