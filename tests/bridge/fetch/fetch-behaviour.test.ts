// Compares a feature's fetch with the platform's own: both run the same cases against the same server, and must have
// the same outcome. The cases follow the web platform tests of fetch.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectFetch, connectOwnFetch } from '../../support/connect-fetch.ts';
import type { AuthorizedFetch } from '../../../src/bridge/fetch/serve-fetch.ts';
import {
  ascii,
  cases,
  observe,
  reads,
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

/** Node 20 cannot send bytes again, as some redirects require, so the body is sent as a Blob. */
const send: AuthorizedFetch = async (request) => {
  const again = request.body === null ? {} : { body: await request.blob() };
  return fetch(new Request(request, again));
};
const throughWorker: Fetch = connectFetch(send).fetch;
const inWorker: Fetch = connectOwnFetch(send);

test.each(Object.entries(cases))('a feature’s fetch behaves like the platform’s: %s', async (_title, run) => {
  const platforms = await observe(run, fetch, server.origin);
  expect(await observe(run, throughWorker, server.origin)).toEqual(platforms);
  expect(await observe(run, inWorker, server.origin)).toEqual(platforms);
});

/** Known differences. The platform is Node here, which does not follow the standard everywhere. */
const differences: Record<string, { run: Run; ours: Outcome; because: string }> = {
  'a stream without duplex: half': {
    run: streams(() => streamOf(ascii('one')), {}),
    ours: { resolved: ['POST', 'one', undefined] },
    because: 'The stream is read before it is sent, so the option would serve no purpose.',
  },
  'a stream of strings': {
    run: streams(() => streamOf('one')),
    ours: { rejected: 'TypeError TypeError' },
    because: 'The standard accepts a stream of Uint8Array; Node accepts strings as well.',
  },
  'changing the headers of a response': {
    run: reads('/answer', ({ headers }) => {
      headers.set('x-one', '1');
      return headers.get('x-one');
    }),
    ours: { resolved: '1' },
    because: 'The headers of a constructed Response are mutable, which does no harm.',
  },
  'an abort after a response without a body': {
    run: async (fetch, url) => {
      const controller = new AbortController();
      const response = await fetch(url('/answer?status=204'), { signal: controller.signal });
      controller.abort();
      return response.text();
    },
    ours: { resolved: '' },
    because: 'By the standard a missing body cannot fail; in Node it does.',
  },
};

test.each(Object.entries(differences))(
  'a feature’s fetch differs from Node’s: %s',
  async (_title, { run, ours }) => {
    expect(await observe(run, throughWorker, server.origin)).toEqual(ours);
    expect(await observe(run, inWorker, server.origin)).toEqual(ours);
    expect(await observe(run, fetch, server.origin)).not.toEqual(ours);
  },
);

type End = (response: Promise<Response>, abort: () => void, page: { end(): void }) => unknown;

test.each<[string, string, End]>([
  ['on an abort before the response', '/silent?abort', (_response, abort) => abort()],
  ['on an abort in the middle of the response', '/stuck?abort', (response, abort) => response.then(abort)],
  [
    'if the reader cancels the response',
    '/stuck?cancel',
    (response) => response.then(({ body }) => body?.cancel()),
  ],
  ['if the page closes', '/stuck?close', (response, _abort, page) => response.then(page.end)],
])('a feature’s fetch closes the connection to the server %s', async (_when, path, end) => {
  const { fetch: pageFetch, page } = connectFetch(send);
  const controller = new AbortController();
  const response = pageFetch(`${server.origin}${path}`, { signal: controller.signal });
  response.catch(() => undefined);
  await server.arrived(path);
  await end(response, () => controller.abort(), page);
  await expect(server.cutOff(path)).resolves.toBeUndefined();
});
