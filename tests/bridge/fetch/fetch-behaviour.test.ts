// Compares a feature's fetch with the platform's own: both run the same cases against the same server, and must have
// the same outcome. The cases follow the web platform tests of fetch.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectFetch, connectOwnFetch } from '../../support/connect-fetch.ts';
import type { AuthorizedFetch } from '../../../src/bridge/fetch/serve-fetch.ts';
import { cases, observe, type Fetch } from '../../support/fetch-cases.ts';
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

type End = (response: Promise<Response>, abort: () => void, page: { end(): void }) => unknown;

test.each<[string, string, End]>([
  ['on an abort before the response', '/silent?abort', (_response, abort) => abort()],
  ['on an abort in the middle of the response', '/stuck?abort', (response, abort) => response.then(abort)],
  ['if the reader cancels it', '/stuck?cancel', (response) => response.then(({ body }) => body?.cancel())],
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
