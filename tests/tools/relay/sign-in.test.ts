// A whole sign-in at a provider that wants a secret: the extension's protocol code, the relay, and a real OpenID Provider.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Metadata } from '../../../src/oidc/discover.ts';
import { discover } from '../../support/discover.ts';
import { revokeToken } from '../../../src/oidc/end.ts';
import { createProviderClient, type ProviderClient } from '../../../src/oidc/http.ts';
import { renewTokens } from '../../../src/oidc/renew.ts';
import { createRelay, type LogEntry } from '../../../tools/relay/relay.ts';
import { marisol } from '../../../tools/demo-provider/people.ts';
import { startDemoProvider, type DemoProvider } from '../../../tools/demo-provider/provider.ts';
import { signInOverHttp } from '../../support/http-browser.ts';
import { publishedKeys } from '../../support/keys.ts';
import { redirectUri } from '../../support/relay-scene.ts';
import { createScriptedProvider } from '../../support/scripted-provider.ts';
import { forTokens, signInByCode } from '../../support/sign-in.ts';

const relayOrigin = 'https://relay.acme.example';
const secret = 'a secret: of+the/demo & co';

let demo: DemoProvider;
let client: ProviderClient;
let metadata: Metadata;
let log: LogEntry[];

async function begin(authentication: 'client_secret_basic' | 'client_secret_post', sentSecret = secret) {
  demo = await startDemoProvider({ redirectUris: [redirectUri], confidential: { secret, authentication } });
  log = [];
  const { world, provider } = createScriptedProvider().client;
  const own = {
    id: 'demo',
    clientId: demo.clientId,
    clientSecret: sentSecret,
    tokenEndpoint: `${demo.issuer}/token`,
    revocationEndpoint: `${demo.issuer}/revoke`,
    clientAuthentication: authentication,
    redirectUris: [redirectUri],
  };
  const relay = createRelay({ providers: [own] }, { log: (entry) => log.push(entry) });
  const throughRelay: typeof world.fetch = (url, init) =>
    url.startsWith(relayOrigin) ? relay(new Request(url, init)) : fetch(url, init);
  const endpoints = {
    token_endpoint: `${relayOrigin}/token/demo`,
    revocation_endpoint: `${relayOrigin}/revoke/demo`,
  };
  const settings = { id: 'demo', issuer: demo.issuer, clientId: demo.clientId, origins: [relayOrigin] };
  const ofDemo = { ...provider, ...settings, metadata: endpoints };
  client = createProviderClient({ ...world, fetch: throughRelay }, ofDemo);
  metadata = await discover(client);
}

afterEach(() => demo.close());

async function signIn() {
  const open = (url: string) => signInOverHttp(url, { user: marisol.id });
  const redeemed = await signInByCode(client, redirectUri, open);
  const { refreshToken } = redeemed.tokens;
  if (refreshToken === null) throw new Error('There is no refresh token.');
  return { ...redeemed, tokens: { ...redeemed.tokens, refreshToken } };
}

const renew = ({ tokens, originalClaims }: Awaited<ReturnType<typeof signIn>>) =>
  renewTokens(forTokens(client), metadata, publishedKeys(client, metadata), tokens, {
    subject: marisol.id,
    claims: originalClaims,
  });

describe.each(['client_secret_basic', 'client_secret_post'] as const)(
  'a provider that wants %s',
  (authentication) => {
    beforeEach(() => begin(authentication));

    test('signs a user in through the relay, renews, and revokes', async () => {
      const signedIn = await signIn();
      expect(signedIn.profile).toMatchObject({ subject: marisol.id, name: 'Marisol Vega' });
      expect(await renew(signedIn)).toMatchObject({ outcome: 'renewed' });
      const again = await signIn();
      await expect(revokeToken(client, metadata, again.tokens.refreshToken)).resolves.toBe('revoked');
      expect(await renew(again)).toMatchObject({ outcome: 'refused', problem: { code: 'expired' } });
      expect(log).toContainEqual({ provider: 'demo', purpose: 'revoke', status: 200, error: null });
      expect(log.at(-1)).toEqual({ provider: 'demo', purpose: 'token', status: 400, error: 'invalid_grant' });
    });
  },
);

test('a wrong secret is a fault of the configuration, and ends no session', async () => {
  await begin('client_secret_basic', 'another secret');
  await expect(signIn()).rejects.toMatchObject({ code: 'provider-misconfigured' });
  expect(log).toEqual([{ provider: 'demo', purpose: 'token', status: 401, error: 'invalid_client' }]);
});
