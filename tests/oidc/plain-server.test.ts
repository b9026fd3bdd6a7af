// The whole protocol of plain OAuth 2 against a real server of another make.

import { afterEach, describe, expect, test } from 'vitest';
import { discover } from '../support/discover.ts';
import { revokeToken } from '../../src/oidc/end.ts';

import { oauthFlow, isTokenRefusal, requestUser } from '../../src/parts/oauth-user';
import { createProviderClient } from '../../src/oidc/http.ts';
import { toApiToken } from '../../src/oidc/tokens.ts';
import { noKeys } from '../support/keys.ts';
import { startPlainServer, type PlainServer, type PlainShape } from '../support/plain-server.ts';
import { createScriptedProvider } from '../support/scripted-provider.ts';
import { readConfig } from '../support/samples.ts';
import { finishSignIn, forTokens } from '../support/sign-in.ts';

const redirectUri = 'https://extension.chromiumapp.org/plain';

let server: PlainServer;
afterEach(() => server.close());

async function start(shape: PlainShape) {
  server = await startPlainServer('latchkey', [redirectUri], shape);
  const { origin: issuer, configuration } = server;
  const plain = { id: 'plain', name: 'Plain', issuer, clientId: 'latchkey', ...configuration };
  const { providers } = readConfig({ providers: [plain] });
  const { world } = createScriptedProvider().client;
  const client = createProviderClient({ ...world, fetch }, providers[0]!);
  const metadata = await discover(client);
  const authorize = async () => {
    const request = await oauthFlow.createRequest(client, metadata, redirectUri, {}, null);
    const consent = await fetch(request.url.replace('/authorize', '/allow'), { redirect: 'manual' });
    return { request, responseUrl: consent.headers.get('location') ?? '' };
  };
  const signIn = async () => {
    const { request, responseUrl } = await authorize();
    return finishSignIn(oauthFlow, forTokens(client), metadata, noKeys, request, responseUrl, null);
  };
  return { client, metadata, authorize, signIn };
}

describe.each<PlainShape>(['github', 'standard'])('at a server of the shape %s', (shape) => {
  test('a user signs in, and a revoked token works no more', async () => {
    const { client, metadata, signIn } = await start(shape);
    const { profile, tokens } = await signIn();
    expect(profile).toMatchObject({ subject: '1815', name: 'Ada Lovelace', email: null });
    expect(tokens.refreshToken === null).toBe(shape === 'github');
    expect(server.working()).toEqual([toApiToken(tokens)]);

    await revokeToken(client, metadata, tokens.refreshToken ?? toApiToken(tokens));
    const error: unknown = await requestUser(client, tokens).catch((thrown: unknown) => thrown);
    expect(isTokenRefusal(error)).toBe(true);
  });

  test('a code that was issued for another request cannot be redeemed', async () => {
    const { client, metadata, authorize } = await start(shape);
    const [own, injected] = [await authorize(), await authorize()];
    const url = new URL(injected.responseUrl);
    url.searchParams.set('state', own.request.state);
    const detail = expect.stringContaining('invalid_grant') as string;
    const redeemed = finishSignIn(
      oauthFlow,
      forTokens(client),
      metadata,
      noKeys,
      own.request,
      url.href,
      null,
    );
    await expect(redeemed).rejects.toMatchObject({ code: 'response-rejected', detail });
    expect(server.working()).toEqual([]);
  });
});
