// The real network, against a server on this computer.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { network } from '../../../tools/doctor/world.ts';

/** A server that answers each request in the same way. Returns its address, and the headers that it got. */
async function serve(answer: (response: ServerResponse) => void) {
  const received: IncomingHttpHeaders[] = [];
  const server = createServer(({ headers }, response) => {
    received.push(headers);
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/authorize?a=b`, received };
}

const opening = { method: 'GET', mode: 'navigate', headers: { accept: 'text/html' } } as const;

test('a page is opened as a browser opens it, because a script gets another answer from some providers', async () => {
  const { url, received } = await serve((response) =>
    response.writeHead(302, { location: '/next', 'set-cookie': ['a=1', 'b=2'] }).end('Moved'),
  );
  const response = await network(url, opening);
  expect(received).toEqual([
    expect.objectContaining({
      accept: 'text/html',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    }),
  ]);
  expect(response).toMatchObject({ status: 302, url });
  expect(response.headers.get('location')).toBe('/next');
  expect(await response.text()).toBe('Moved');
});

test('a page without a body is an answer', async () => {
  const { url } = await serve((response) => response.writeHead(204).end());
  expect((await network(url, opening)).status).toBe(204);
});

test.each([
  ['a status that HTTP does not have', (response: ServerResponse) => response.writeHead(999).end()],
  ['no answer', (response: ServerResponse) => response.destroy()],
])('a page with %s is a failure', async (_what, answer) => {
  const { url } = await serve(answer);
  await expect(network(url, opening)).rejects.toBeInstanceOf(Error);
});

test('a page that takes too long is given up', async () => {
  const { url } = await serve(() => undefined);
  const signal = AbortSignal.abort(new Error('Too long.'));
  await expect(network(url, { ...opening, signal })).rejects.toThrow('aborted');
});
