import { expect, test } from 'vitest';
import { toFaces, toObserver } from '../../../tools/gallery/faces.ts';
import type { Problem } from '../../../src/session/problem.ts';

const view = { status: 'starting' } as const;

test.each<[Problem['code'] | 'nothing', string]>([
  ['nothing', ''],
  ['worker-unreachable', 'cancel, show-window'],
  ['sign-in-page-failed', 'show-window'],
])('a face whose refusal is %s refuses «%s»', async (code, refused) => {
  const refusal = code === 'nothing' ? undefined : { code, detail: null };
  const { send } = toObserver({ view, ...(refusal && { refusal }) });
  const replies = await Promise.all(
    (['cancel', 'show-window'] as const).map(async (type) => ({ type, reply: await send({ type }) })),
  );
  const refusals = replies.filter(({ reply }) => !reply.ok);
  expect(refusals.map(({ type }) => type).join(', ')).toBe(refused);
  for (const { reply } of refusals) expect(reply).toEqual({ ok: false, problem: refusal });
});

test('an account of a face can be removed and brought back', async () => {
  const face = toFaces(0, '').find(({ id }) => id === 'returning-three');
  const { getSnapshot, subscribe, send } = toObserver(face ?? expect.unreachable());
  const readAccounts = () => {
    const shown = getSnapshot();
    return shown.status === 'ready' && shown.board.session.status === 'signed-out'
      ? shown.board.session.accounts
      : [];
  };
  const before = readAccounts();
  const [, account = expect.unreachable()] = before;
  let changes = 0;
  const stop = subscribe(() => (changes += 1));
  await send({ type: 'forget-account', account });
  expect(readAccounts()).toEqual(before.filter((one) => one !== account));
  await send({ type: 'remember-account', account, at: 1 });
  expect(readAccounts()).toEqual(before);
  stop();
  await send({ type: 'forget-account', account });
  expect(changes).toBe(2);
});
