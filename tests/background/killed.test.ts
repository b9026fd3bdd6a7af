// The worker is killed at each step: before a call of the outside world, or before the call returns. The same expectations
// hold after every one of them.

import { afterAll, expect, test } from 'vitest';
import { settledView } from '../../src/session/view.ts';
import { byCode, deviceScript, pending } from '../support/device-scene.ts';
import { stopTime } from '../support/explorer/still-time.ts';
import { isInner, isLong } from '../support/extent.ts';
import { playScene, scenes, signedIn, type Play, type Scene } from '../support/scenes.ts';
import { plainSettings, plainToken, provider as scripted } from '../support/scripted-provider.ts';

/** `npm test` kills at every third step. */
const stride = isLong ? 1 : isInner ? 9 : 3;

/** The same scene at a provider of plain OAuth 2, whose token lasts. */
const inPlain = (scene: Scene): Scene => ({
  ...scene,
  setup: { providers: [{ ...scripted, ...plainSettings }] },
  script: { token: { ...plainToken, refresh_token: undefined, expires_in: undefined } },
});

const signOut: Scene = {
  before: signedIn,
  async act({ send, rest }) {
    await send({ type: 'sign-out', everywhere: false });
    await rest();
  },
  ends: ['signed-out'],
};

const agreement: Scene = {
  setup: { providers: [byCode] },
  script: deviceScript(pending),
  before: ({ send }) => send({ type: 'sign-in', providerId: 'scripted' }),
  async act({ script, send, rest }) {
    delete script.answers?.['/token'];
    await send({ type: 'open' });
    await rest(5);
  },
  ends: ['signed-in'],
};

type End = 'signed-out' | 'signed-in';

const acts: [title: string, scene: Scene, ends: readonly End[]][] = [
  ['a sign-in', scenes['a sign-in']!, ['signed-out', 'signed-in']],
  ['a sign-in with plain OAuth 2', inPlain(scenes['a sign-in']!), ['signed-out', 'signed-in']],
  ['the wait for a user who enters a code', agreement, ['signed-in']],
  ['a renewal', scenes['a renewal']!, ['signed-in']],
  ['the check of a token of plain OAuth 2', inPlain(scenes['a renewal']!), ['signed-in']],
  ['a sign-out', signOut, ['signed-in', 'signed-out']],
  ['a sign-out with plain OAuth 2', inPlain(signOut), ['signed-in', 'signed-out']],
];

afterAll(stopTime());

test.each(acts)(
  'a worker that is killed anywhere in %s leaves a whole session or none',
  async (_title, scene, ends) => {
    const whole = await playScene(scene, { lastStep: Infinity });
    const steps = whole.worker.steps();
    expect(steps).toBeGreaterThan(10);
    const outcomes = new Set<string>();
    for (let last = 1; last <= steps; last += stride) {
      const played = await playScene(scene, { lastStep: last });
      const { status, faults } = await goOn(played, ends);
      expect(faults, `killed at step ${last}`).toEqual([]);
      outcomes.add(status);
    }
    expect(outcomes).toEqual(new Set(ends));
  },
  60_000,
);

/** Opens the popup with the next worker. Returns how that ends, and what is wrong then. */
async function goOn(played: Play, ends: readonly End[]) {
  const { worker } = played;
  const shown = worker.session()?.status;
  worker.restartWorker();
  await played.send({ type: 'open' });
  await played.rest(15);
  const session = worker.readBoard()!.session;
  const { status } = session;
  const code = settledView(session).problem?.code ?? 'interrupted';
  const [redeemed, revoked] = [worker.sent('code_verifier'), worker.revoked()];
  const hadToken = ends[0] === 'signed-in';
  if (status === 'signed-out' && !hadToken) await signedIn(played);
  const faults = [
    code !== 'interrupted' && `the user is told ${code}`,
    shown === ends.at(-1) && status !== shown && `the user who was ${shown} is ${status}`,
    (await worker.held()).deviceCode !== null && 'a code is left',
    new Set(redeemed).size < redeemed.length && 'a code is redeemed twice',
    // A request that killed the worker is sent again.
    status === 'signed-in' && revoked.length > 0 && `${revoked[0]} is revoked`,
    status === 'signed-out' && hadToken && new Set(revoked).size !== 1 && 'no token is revoked',
    !hadToken && worker.session()?.status !== 'signed-in' && 'the next sign-in fails',
  ];
  return { status, faults: faults.filter((fault) => fault !== false) };
}
