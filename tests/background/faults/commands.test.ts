// Pages send commands at the same time or twice, and other senders try to.

import { expect, test } from 'vitest';
import { adaIsSignedIn, signedIn } from '../../support/fault-scene.ts';
import { settled } from '../../support/port-pair.ts';

// F10: two pages start a sign-in: tests/background/sign-in.test.ts.
// F43: the popup closes in mid-flow: tests/browser/sign-in.test.ts closes it.

test('F44: a reply never reaches its page', async () => {
  const { worker } = await signedIn();
  await Promise.all([worker.signOut(), worker.signOut()]);
  await worker.signOut();
  await worker.expectSession({ status: 'signed-out', problem: null });
  await expect.poll(worker.revoked).toEqual(['refresh-1']);
});

test('F62: another sender sends a command', async () => {
  const { worker } = await signedIn();
  const latchkey = { to: 'command', page: 'a page', content: { type: 'sign-out', everywhere: false } };
  const { port2 } = new MessageChannel();
  for (const origin of ['chrome-extension://another', 'https://evil.example'])
    worker.deliver({ data: { latchkey }, origin, ports: [port2] });
  await settled();
  await worker.expectSession(adaIsSignedIn);
});
