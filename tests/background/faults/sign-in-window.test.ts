// The sign-in window is closed, fails or hides, and its redirect is not what it should be.

import { expect, test } from 'vitest';
import { adaIsSignedIn, setUpScene, signingIn } from '../../support/fault-scene.ts';
import { issuer, provider as scripted } from '../../support/scripted-provider.ts';

// F39: the user closes the window: tests/background/sign-in.test.ts.
// F40: the browser closes the window on an error page: tests/background/why-it-failed.test.ts.
// F41: the window never appears: tests/background/sign-in.test.ts and own-window.test.ts.
// F42: the window is behind others: tests/background/sign-in.test.ts.

test('F49: an old redirect is replayed', async () => {
  const first = await signingIn();
  const old = first.worker.provider.approve(first.window.url);
  first.window.redirect(old);
  await first.worker.expectSession(adaIsSignedIn);
  await first.worker.signOut();
  const { worker, window } = await signingIn(first);
  window.redirect(old);
  await worker.expectSession({ status: 'signed-out', problem: { code: 'response-rejected' } });
  expect(worker.sent('code')).toHaveLength(1);
});

test('F50: one provider answers in place of another', async () => {
  const scene = setUpScene({}, { providers: [scripted, { ...scripted, id: 'other', name: 'Other' }] });
  for (const change of [
    (url: string) => url.replace(/\/scripted\?/, '/other?'),
    (url: string) => url.replace(encodeURIComponent(issuer), encodeURIComponent('https://evil.example')),
  ]) {
    const { worker, window } = await signingIn(scene);
    window.redirect(change(worker.provider.approve(window.url)));
    await worker.expectSession({ status: 'signed-out', problem: { code: 'response-rejected' } });
    expect(worker.sent('code')).toEqual([]);
  }
});

// F51: the redirect URL is malformed: tests/oidc/authorize.test.ts has its table.
// F52: the provider redirects with an error: tests/oidc/authorize.test.ts has its table.
