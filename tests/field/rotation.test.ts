// A provider that replaces each refresh token, and takes none twice: whatever else its answers lack, the next token must be kept.

import { expect, test } from 'vitest';
import { adaIsSignedIn, hour, signedIn, type signingIn } from '../support/worker-setup.ts';
import { apiOrigin } from '../support/scripted-api.ts';
import { createSigningKey, type Script } from '../support/scripted-provider.ts';

type Scene = Pick<Awaited<ReturnType<typeof signingIn>>, 'worker' | 'script' | 'clock'>;

/** Changes an answer to the renewal with this number, from 1. */
type Change = (answer: Readonly<Record<string, unknown>>, renewal: number) => Response | Promise<Response>;

/** Ada is signed in at a provider that rotates, and isn't in its own browser session. */
async function atRotating(change: Change): Promise<Scene> {
  const scene = await signedIn({ token: { refresh_token: 'refresh-0' } });
  const { worker } = scene;
  scene.script.claims = { nonce: undefined };
  worker.silence.answer = (url) => worker.provider.decline(url, 'login_required');
  let renewal = 0;
  scene.script.answers = {
    async '/token'() {
      if (worker.sent('refresh_token').at(-1) !== `refresh-${renewal}`)
        return Response.json({ error: 'invalid_grant' }, { status: 400 });
      renewal += 1;
      const answer = { ...(await worker.provider.tokenAnswer()), refresh_token: `refresh-${renewal}` };
      return change(answer, renewal);
    },
  };
  return scene;
}

/** Three renewals; the tokens last for less than an hour. A failed one is followed by another after a while. */
async function renewThreeTimes({ worker, clock }: Scene): Promise<void> {
  for (const least of [1, 2, 3]) {
    clock.nowMs += hour;
    await expect
      .poll(async () => {
        await worker.openAfter(60_000);
        await worker.rest();
        return worker.sent('refresh_token').length;
      })
      .toBeGreaterThanOrEqual(least);
  }
}

const json = (answer: object) => Response.json(answer);
const newKey = await createSigningKey('key-2');

// The reading of each answer is in answers.test.ts.
test.each<[string, Change, Script?]>([
  [
    'one answer has no access token',
    (answer, at) => json({ ...answer, ...(at === 2 && { access_token: null }) }),
  ],
  // https://github.com/dexidp/dex/issues/1206: keys are cached for hours.
  ['it signs with a key that it does not publish yet', json, { signingKey: newKey, publishedKeys: () => [] }],
])(
  'someone stays signed in at a provider that rotates refresh tokens, although %s',
  async (_title, change, script) => {
    const scene = await atRotating(change);
    Object.assign(scene.script, script);
    await renewThreeTimes(scene);
    await scene.worker.expectSession(adaIsSignedIn);
    expect(scene.worker.silence.urls).toEqual([]);
    expect(scene.worker.revoked()).toEqual([]);
  },
);

test('an API is called with the new token after an answer that brought only a refresh token', async () => {
  const { worker, clock } = await atRotating((answer, at) =>
    json({ ...answer, access_token: at === 1 ? null : `access-${at}` }),
  );
  clock.nowMs += hour;
  await expect(worker.fetch(`${apiOrigin}/a`)).rejects.toBeDefined();
  expect(worker.api.calls).toEqual([]);
  clock.nowMs += 60_000;
  await worker.fetch(`${apiOrigin}/a`);
  expect(worker.api.calls.map(({ token }) => token)).toEqual(['access-2']);
});
