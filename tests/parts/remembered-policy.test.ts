// The policies that a worker remembers. The rest is in the scenes of a policy: tests/background/policy.test.ts.

import { expect, test, vi } from 'vitest';
import { createRememberedPolicy } from '../../src/parts/policy.ts';
import { FakeStorageArea } from '../support/fake-browser.ts';

const policyOf = (number: number) => ({ managedBy: `Acme ${number}` });

test('a policy that is replaced is a former one, and the newest ten are remembered', async () => {
  const area = new FakeStorageArea();
  const remembered = createRememberedPolicy(area);
  for (let number = 1; number <= 12; number += 1) await remembered.keep({ policy: policyOf(number) });
  const former = Array.from({ length: 10 }, (_, index) => policyOf(11 - index));
  expect(await createRememberedPolicy(area).read()).toMatchObject({ policy: policyOf(12), former });
});

test('a policy is remembered at the second try, and a storage that fails rejects nothing', async () => {
  const area = new FakeStorageArea();
  const remembered = createRememberedPolicy(area);
  vi.spyOn(area, 'set').mockRejectedValueOnce(new Error('busy'));
  await remembered.keep({ policy: policyOf(1) });
  expect(await createRememberedPolicy(area).read()).toMatchObject({ policy: policyOf(1) });
  area.failure = new Error('full');
  await remembered.keep({ policy: policyOf(2) });
});
