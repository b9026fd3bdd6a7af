// A feature's fetch beside the platform's own: both are asked the same of the same server, and must tell the same.
// The cases follow what the web platform's own tests ask of fetch.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectFetch } from '../../support/connect-fetch.ts';
import {
  ascii,
  cases,
  observe,
  reads,
  reason,
  streamOf,
  streams,
  type Fetch,
  type Outcome,
  type Run,
} from '../../support/fetch-cases.ts';
import { startEchoServer, type EchoServer } from '../../support/echo-server.ts';

let server: EchoServer;
beforeAll(async () => {
  server = await startEchoServer();
});
afterAll(() => server.close());

/** Node 20 cannot send bytes a second time, as some redirects ask for; a Blob it can. */
const throughPort: Fetch = connectFetch(async (request) => {
  const again = request.body === null ? {} : { body: await request.blob() };
  return fetch(new Request(request, again));
}).fetch;

test.each(Object.entries(cases))('as the platform does: %s', async (_title, run) => {
  const ours = await observe(run, throughPort, server.origin);
  expect(ours).toEqual(await observe(run, fetch, server.origin));
});

/** Where we differ, and why. The platform here is Node, which is not always what the standard says. */
const differences: Record<string, { run: Run; ours: Outcome; because: string }> = {
  'a stream that is not said to be half duplex': {
    run: streams(() => streamOf(ascii('one')), {}),
    ours: { told: ['POST', 'one', undefined] },
    because: 'It is read before it is sent, so nothing is gained by asking for the word.',
  },
  'a stream of texts': {
    run: streams(() => streamOf('one')),
    ours: { threw: 'TypeError TypeError' },
    because: 'By the standard a body is a stream of Uint8Array; Node takes texts as well.',
  },
  'headers of an answer that are changed': {
    run: reads('/answer', ({ headers }) => {
      headers.set('x-one', '1');
      return headers.get('x-one');
    }),
    ours: { told: '1' },
    because: 'Headers of a Response that is made by hand can be changed, and nothing hangs on it.',
  },
  'an abort of an answer without a body': {
    run: async (fetch, url) => {
      const controller = new AbortController();
      const response = await fetch(url('/answer?status=204'), { signal: controller.signal });
      controller.abort();
      return response.text();
    },
    ours: { told: '' },
    because: 'By the standard a body that there is not cannot fail; Node lets it.',
  },
  'an abort in the middle of the answer, for a reason': {
    run: async (fetch, url) => {
      const controller = new AbortController();
      const response = await fetch(url('/stuck'), { signal: controller.signal });
      controller.abort(reason);
      return response.text();
    },
    ours: { threw: reason },
    because: 'By the standard the body fails with the reason; Node has an AbortError of its own.',
  },
};

test.each(Object.entries(differences))('unlike the platform: %s', async (_title, { run, ours }) => {
  expect(await observe(run, throughPort, server.origin)).toEqual(ours);
  expect(await observe(run, fetch, server.origin)).not.toEqual(ours);
});

test('an aborted signal costs the server nothing', async () => {
  const before = server.requests();
  await expect(throughPort(server.origin, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  expect(server.requests()).toBe(before);
});

test('an abort before the answer reaches the server', async () => {
  const controller = new AbortController();
  const answer = throughPort(`${server.origin}/silent?abort`, { signal: controller.signal });
  await server.arrived('/silent?abort');
  controller.abort();
  await expect(answer).rejects.toThrow('aborted');
  await server.cutOff('/silent?abort');
});

test('an abort in the middle of the answer reaches the server', async () => {
  const controller = new AbortController();
  await throughPort(`${server.origin}/stuck?abort`, { signal: controller.signal });
  controller.abort();
  await server.cutOff('/stuck?abort');
});

test('that nobody wants the rest of an answer reaches the server', async () => {
  const response = await throughPort(`${server.origin}/stuck?cancel`);
  await response.body?.cancel();
  await server.cutOff('/stuck?cancel');
});

test('that the page has closed reaches the server', async () => {
  const { fetch: pageFetch, ports } = connectFetch((request) => fetch(request));
  await pageFetch(`${server.origin}/stuck?close`);
  ports[0]?.page.disconnect();
  await server.cutOff('/stuck?close');
});
