// Optional protections of the configuration, in a real browser with a real provider.

import { expect, test } from 'vitest';
import { asa, marisol } from '../../tools/demo-provider/people.ts';
import {
  approve,
  popupWith,
  popupWithProblem,
  setUpExtension,
  signIn,
  startSignIn,
  soonStaleSeconds,
  untilStale,
} from '../support/browser/setup.ts';
import { isOfThisBrowser } from '../support/browser/share.ts';

test.runIf(isOfThisBrowser(0))(
  'with DPoP and pushed requests a person signs in, the tokens are renewed, and the session survives a restart',
  async () => {
    const extension = await setUpExtension({
      configuration: { dpop: 'required', par: 'always' },
      provider: { accessTokenSeconds: soonStaleSeconds },
    });
    await signIn(extension);
    const paths = extension.demo.requests.map(({ path }) => path);
    expect(paths.indexOf('/par')).toBeLessThan(paths.indexOf('/auth'));
    expect(paths).toContain('/par');

    await extension.restartBrowser();
    await untilStale();
    const before = extension.demo.requests.length;
    await popupWith(extension, 'signed-in');
    await expect
      .poll(() => extension.demo.requests.slice(before).map(({ grantType, status }) => [grantType, status]), {
        timeout: 10_000,
      })
      .toContainEqual(['refresh_token', 200]);
    const popup = await popupWith(extension, 'signed-in');
    expect(await popup.$('[data-problem]')).toBeNull();
  },
);

test.runIf(isOfThisBrowser(0))(
  'a person that `allowed` excludes is told so, and nothing about them is kept',
  async () => {
    const extension = await setUpExtension({ configuration: { allowed: { email: [marisol.email] } } });
    await approve(await startSignIn(extension), asa);
    const popup = await popupWithProblem(extension, 'not-permitted');
    expect(await popup.$eval('main', (main) => main.innerText)).not.toContain(asa.email);
    await expect
      .poll(() => extension.demo.requests.map(({ path }) => path), { timeout: 10_000 })
      .toContain('/revoke');
  },
);

test.runIf(isOfThisBrowser(1))('a person that `allowed` includes signs in', async () => {
  const extension = await setUpExtension({ configuration: { allowed: { email: [marisol.email] } } });
  await signIn(extension, marisol);
});
