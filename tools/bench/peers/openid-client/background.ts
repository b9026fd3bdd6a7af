// The library runs in the worker and stores nothing, so the worker keeps the tokens in the extension's storage.

import * as client from 'openid-client';

interface Order {
  readonly type?: string;
  readonly issuer: string;
  readonly clientId: string;
}

let discovered: Promise<client.Configuration> | null = null;

async function signIn({ issuer, clientId }: Order): Promise<void> {
  discovered ??= client.discovery(new URL(issuer), clientId, undefined, client.None(), {
    execute: [client.allowInsecureRequests],
  });
  const config = await discovered;
  const codeVerifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const nonce = client.randomNonce();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: chrome.identity.getRedirectURL('demo'),
    scope: 'openid profile email offline_access',
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  });
  const redirected = await chrome.identity.launchWebAuthFlow({ url: url.href, interactive: true });
  const tokens = await client.authorizationCodeGrant(config, new URL(redirected), {
    pkceCodeVerifier: codeVerifier,
    expectedState: state,
    expectedNonce: nonce,
  });
  await chrome.storage.local.set({ session: { ...tokens, claims: tokens.claims() } });
}

chrome.runtime.onMessage.addListener((order: Order, _sender: unknown, respond: (reply: string) => void) => {
  if (order.type !== 'sign-in') {
    respond('awake');
    return false;
  }
  signIn(order).then(
    () => respond('signed in'),
    (error: unknown) => respond(`failed: ${String(error)}`),
  );
  return true;
});
