// An administrator's policy in a real browser, as short as can be: policy-changes.test.ts and policy-installed.test.ts have
// the rest.

import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { expectPolicies } from '../support/browser/managed.ts';
import { offered, onlyDemo, read, setUpManaged } from '../support/browser/managed-scene.ts';

beforeEach(expectPolicies);

test('a policy chooses the provider, and the popup names the organization', async () => {
  const { setPolicy, launch } = await setUpManaged();
  await setPolicy(onlyDemo);
  const browser = await launch();
  onTestFinished(() => browser.close());
  const popup = await browser.waitForPopup('main[data-status="signed-out"]');
  // Chromium has the policy some seconds after its start.
  await expect.poll(() => offered(popup)).toEqual(['demo']);
  expect(await read(popup)).toContain('Managed by Acme IT');
});
