import { expect, test } from 'vitest';
import { marisol } from '../../tools/demo-provider/people.ts';
import { idTokenClientId } from '../../tools/demo-provider/protocol.ts';
import { readManifest } from '../../tools/build/read-manifest.ts';
import { redirectUris } from '../../tools/redirect-uris.ts';
import { ask, mounted } from '../support/browser/sample.ts';
import {
  click,
  popupWith,
  readStorage,
  setUpExtension,
  signIn,
  soonStaleSeconds,
  textOf,
  untilStale,
} from '../support/browser/setup.ts';
import { isOfThisBrowser } from '../support/browser/share.ts';

/** The settings for Google, whose redirect in Firefox is the loopback one. */
const configuration = {
  clientId: idTokenClientId,
  responseType: 'id_token',
  apiToken: 'id_token',
  firefoxRedirect: 'loopback',
};

test.runIf(isOfThisBrowser(0))(
  'a user signs in where the answer is the ID token, which a feature’s request carries and which is renewed silently',
  async () => {
    // No other redirect is registered, so the loopback one is what Firefox uses.
    const uris = Object.values(redirectUris(readManifest(), 'demo', 'loopback'));
    const provider = { idTokenSeconds: soonStaleSeconds, redirectUris: uris };
    const extension = await setUpExtension({ provider, feature: 'sample', configuration });
    const popup = await mounted(await signIn(extension));
    const text = await textOf(popup);
    expect(text).toContain(marisol.name);
    expect(text).toContain(marisol.email);
    expect(await popup.$('[data-problem]')).toBeNull();

    const { demo } = extension;
    await untilStale();
    expect(await ask(popup, `${demo.issuer}/api/me`)).toEqual({
      status: 200,
      text: JSON.stringify({ sub: marisol.id, name: marisol.name, client_id: idTokenClientId, scope: '' }),
    });
    // The first token was to be renewed after a second, so another one has come without a window.
    expect(demo.issuedTokens.length).toBeGreaterThanOrEqual(2);
    const paths = demo.requests.map(({ path }) => path);
    expect(paths).not.toContain('/token');
    expect(paths).not.toContain('/userinfo');

    const shown = JSON.stringify(await readStorage(extension)) + (await popup.content());
    expect(shown).toContain(marisol.email);
    for (const token of demo.issuedTokens) expect(shown).not.toContain(token.slice(-40));

    await click(popup, '[data-action="sign-out"]');
    const after = await popupWith(extension, 'signed-out');
    expect(await after.$('[data-problem]')).toBeNull();
  },
);
