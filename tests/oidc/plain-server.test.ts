// The whole protocol of plain OAuth 2 against a real server of another make.

import { describe, expect, test } from 'vitest';
import { discover } from '../support/discover.ts';
import { revokeToken } from '../../src/oidc/end.ts';
import { oauthFlow, isTokenRefusal, requestUser } from '../../src/parts/oauth.ts';
import { createProviderClient } from '../../src/oidc/http.ts';
import { toApiToken } from '../../src/oidc/tokens.ts';
import { noKeys } from '../support/keys.ts';
import { createPlainServer, plainConfiguration, type PlainShape } from '../support/plain-server.ts';
import { readConfig } from '../support/samples.ts';
import { finishSignIn, forTokens } from '../support/sign-in.ts';

const redirectUri = 'https://extension.chromiumapp.org/plain';
const plain = { id: 'plain', name: 'Plain', clientId: 'latchkey', ...plainConfiguration };

async function start(shape: PlainShape) {
  const server = createPlainServer('latchkey', [redirectUri], shape);
  const client = createProviderClient(server.world, readConfig({ providers: [plain] }).providers[0]!);
  const metadata = await discover(client);
  const authorize = async () => {
    const request = await oauthFlow.createRequest(client, metadata, redirectUri, {}, null);
    return { request, responseUrl: await server.allow(request.url) };
  };
  const finish = ({ request, responseUrl }: Awaited<ReturnType<typeof authorize>>) =>
    finishSignIn(oauthFlow, forTokens(client), metadata, noKeys, request, responseUrl, null);
  return { server, client, metadata, authorize, finish };
}

describe.each<PlainShape>(['github', 'standard'])('at a server of the shape %s', (shape) => {
  test('a user signs in, and a revoked token works no more', async () => {
    const { server, client, metadata, authorize, finish } = await start(shape);
    const { profile, tokens } = await finish(await authorize());
    expect(profile).toMatchObject({ subject: '1815', name: 'Ada Lovelace', email: null });
    expect(tokens.refreshToken === null).toBe(shape === 'github');
    expect(server.working()).toEqual([toApiToken(tokens)]);

    await revokeToken(client, metadata, tokens.refreshToken ?? toApiToken(tokens));
    const error: unknown = await requestUser(client, tokens).catch((thrown: unknown) => thrown);
    expect(isTokenRefusal(error)).toBe(true);
  });

  test('a code that was issued for another request cannot be redeemed', async () => {
    const { server, authorize, finish } = await start(shape);
    const [own, injected] = [await authorize(), await authorize()];
    const url = new URL(injected.responseUrl);
    url.searchParams.set('state', own.request.state);
    const detail = expect.stringContaining('invalid_grant') as string;
    const redeemed = finish({ request: own.request, responseUrl: url.href });
    await expect(redeemed).rejects.toMatchObject({ code: 'response-rejected', detail });
    expect(server.working()).toEqual([]);
  });
});
