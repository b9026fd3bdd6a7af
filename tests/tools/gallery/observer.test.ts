import { expect, test } from 'vitest';
import { toObserver } from '../../../tools/gallery/faces.ts';
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
