// The library runs in the worker and stores nothing, so the worker keeps the tokens in the extension's storage.

import * as client from 'openid-client';

chrome.runtime.onMessage.addListener(async ({ issuer, clientId }: { issuer: string; clientId: string }) => {
  const config = await client.discovery(new URL(issuer), clientId, undefined, client.None());
  const codeVerifier = client.randomPKCECodeVerifier();
  const [state, nonce] = [client.randomState(), client.randomNonce()];
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
});
