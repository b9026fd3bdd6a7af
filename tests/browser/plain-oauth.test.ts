// A provider of plain OAuth 2 in a real browser: that a build for it has its flow. tests/background/plain-oauth.test.ts has all
// cases.

import { expect, onTestFinished, test } from 'vitest';
import { redirectUris } from '../../tools/redirect-uris.ts';
import {
  click,
  manifest,
  popupWith,
  press,
  setUpExtension,
  startSignIn,
  textOf,
} from '../support/browser/setup.ts';
import { isOfThisBrowser } from '../support/browser/share.ts';
import { startPlainServer } from '../support/plain-server.ts';

test.runIf(isOfThisBrowser(0))('a user signs in with plain OAuth 2, and signs out', async () => {
  const uris = Object.values(redirectUris(manifest, 'demo'));
  const server = await startPlainServer('latchkey', uris, 'github');
  onTestFinished(() => server.close());
  const extension = await setUpExtension({
    configuration: { issuer: server.origin, clientId: 'latchkey', ...server.configuration },
  });
  await press(await startSignIn(extension), '#allow');
  const popup = await popupWith(extension, 'signed-in');
  expect(await textOf(popup)).toContain('Ada Lovelace');
  expect(server.working()).toHaveLength(1);
  await click(popup, '[data-action="sign-out"]');
  await popupWith(extension, 'signed-out');
  await expect.poll(server.working).toEqual([]);
});
