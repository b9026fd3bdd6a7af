// Compares a feature's fetch with the platform's own: both run the same cases against the same server, and must have
// the same outcome. The cases follow the web platform tests of fetch.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

describe('a feature’s fetch', () => {
  test('closes the connection to the server on an abort before the response', async () => {
    const controller = new AbortController();
    const response = throughWorker(`${server.origin}/silent?abort`, { signal: controller.signal });
    await server.arrived('/silent?abort');
    controller.abort();
    await expect(response).rejects.toThrow('aborted');
    await expect(server.cutOff('/silent?abort')).resolves.toBeUndefined();
  });

  test('closes the connection to the server on an abort in the middle of the response', async () => {
    const controller = new AbortController();
    await throughWorker(`${server.origin}/stuck?abort`, { signal: controller.signal });
    controller.abort();
    await expect(server.cutOff('/stuck?abort')).resolves.toBeUndefined();
  });

  test('closes the connection to the server if the reader cancels the response', async () => {
    const response = await throughWorker(`${server.origin}/stuck?cancel`);
    await response.body?.cancel();
    await expect(server.cutOff('/stuck?cancel')).resolves.toBeUndefined();
  });

  test('closes the connection to the server if the page closes', async () => {
    const { fetch: pageFetch, page } = connectFetch((request) => fetch(request));
    await pageFetch(`${server.origin}/stuck?close`);
    page.end();
    await expect(server.cutOff('/stuck?close')).resolves.toBeUndefined();
  });
});
