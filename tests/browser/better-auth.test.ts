// Sessions at a provider of another make, Better Auth, as a public client without a secret.

import type { Page } from 'puppeteer-core';
import { expect, onTestFinished, test } from 'vitest';
import { asa, marisol, type User } from '../../tools/demo-provider/people.ts';
import { redirectUris } from '../../tools/redirect-uris.ts';
import { startBetterAuthServer, type BetterAuthServer } from '../support/better-auth-server.ts';
import { ask, mounted } from '../support/browser/sample.ts';
import {
  click,
  manifest,
  popupWith,
  press,
  setUpExtension,
  soonStaleSeconds,
  startSignIn,
  untilStale,
} from '../support/browser/setup.ts';

/** Waits for the name of the user who is signed in. It follows the sign-in, because only UserInfo has it. */
const waitForName = (popup: Page, { name }: User) =>
  popup.waitForFunction((expected) => document.querySelector('.name')?.textContent === expected, {}, name);

async function agree(window: Page, { id }: User): Promise<void> {
  await press(window, `button[name="${id}"]`);
  await press(window, 'button[name="allow"]');
}

/** Signs in at the provider. Its access tokens are to be renewed a second later. */
async function setUpSession(settings: Readonly<Record<string, unknown>> = {}) {
  const server = await startBetterAuthServer({
    redirectUris: Object.values(redirectUris(manifest, 'demo')),
    accessTokenSeconds: soonStaleSeconds,
  });
  onTestFinished(() => server.close());
  const { issuer, origin, clientId } = server;
  const extension = await setUpExtension({
    feature: 'sample',
    configuration: { issuer, clientId, apiOrigins: [origin], ...settings },
  });
  await agree(await startSignIn(extension), marisol);
  const popup = await mounted(await popupWith(extension, 'signed-in'));
  return { server, extension, popup };
}

/** Calls an API once the access token is to be renewed. Returns the grants that the renewal took. */
async function callAfterRenewal({ grants, origin }: BetterAuthServer, popup: Page) {
  await untilStale();
  const before = grants.length;
  expect(await ask(popup, `${origin}/api/me`)).toMatchObject({
    status: 200,
    text: expect.stringContaining(marisol.email),
  });
  return grants.slice(before);
}

test('a user signs in, calls an API with a renewed token, changes the account, and signs out everywhere', async () => {
  const { server, extension, popup } = await setUpSession();
  await waitForName(popup, marisol);
  expect(await callAfterRenewal(server, popup)).toEqual(['refresh_token']);

  await click(popup, '[data-action="use-another-account"]');
  await agree(await extension.browser.waitForSignInWindow(), asa);
  const after = await popupWith(extension, 'signed-in');
  await waitForName(after, asa);
  await expect.poll(server.countRefreshTokens).toBe(1);

  await click(after, '[data-action="sign-out-everywhere"]');
  // The window closes at once: the provider asks nothing.
  const last = await popupWith(extension, 'signed-out');
  await last.waitForFunction(() => document.body.innerText.includes('signed out here and out of'));
  await expect.poll(server.countRefreshTokens).toBe(0);
  // The provider has no session left, so it asks for the account.
  const next = await startSignIn(extension);
  await next.waitForSelector(`button[name="${marisol.id}"]`);
});

test('a session without refresh tokens is renewed silently', async () => {
  const { server, popup } = await setUpSession({ scope: 'openid profile email' });
  await waitForName(popup, marisol);
  expect(await callAfterRenewal(server, popup)).toEqual(['authorization_code']);
  expect(await server.countRefreshTokens()).toBe(0);
});
