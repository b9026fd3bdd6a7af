// Few have a policy, and every start of the worker would pay for schemas that are made ahead of need.

import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.doUnmock('valibot');
  vi.resetModules();
});

test('no schema of a policy or of a configuration is made before one is read', async () => {
  let calls = 0;
  const counted = (part: unknown) =>
    typeof part === 'function'
      ? (...args: unknown[]) => {
          calls += 1;
          return part(...args) as unknown;
        }
      : part;
  vi.resetModules();
  vi.doMock('valibot', async (importOriginal) =>
    Object.fromEntries(
      Object.entries(await importOriginal<typeof import('valibot')>()).map(([name, part]) => [
        name,
        counted(part),
      ]),
    ),
  );
  const { readPolicy } = await import('../../src/config/policy.ts');
  expect(calls).toBe(0);

  const built = {
    providers: [],
    persistence: 'device',
    autoSignIn: 'off',
    rememberAccounts: true,
    policies: true,
    policyOrigins: [],
  } as const;
  expect(readPolicy({}, built, [])).toMatchObject({ outcome: 'refused' });
  expect(calls).toBeGreaterThan(0);
});
