// The fetch of a feature's half in the worker, beyond what it has in common with that of a page.

import { expect, test } from 'vitest';
import { settled } from '../../support/port-pair.ts';
import { connectOwnFetch } from '../../support/connect-fetch.ts';

const url = 'https://api.acme.example/';

test('the fetch in the worker reads no further than its feature', async () => {
  let pulls = 0;
  const body = new ReadableStream(
    {
      pull(controller) {
        pulls += 1;
        controller.enqueue(new Uint8Array([1, 2, 3]));
      },
    },
    { highWaterMark: 0 },
  );
  const response = await connectOwnFetch(() => Promise.resolve(new Response(body)))(url);
  await settled();
  expect(pulls).toBe(0);
  const reader = response.body?.getReader({ mode: 'byob' });
  expect(await reader?.read(new Uint8Array(2))).toEqual({ done: false, value: new Uint8Array([1, 2]) });
  expect(await reader?.read(new Uint8Array(1))).toEqual({ done: false, value: new Uint8Array([3]) });
  expect(pulls).toBe(1);
});
