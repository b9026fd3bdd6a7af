import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readRelayOptions, serveRelay } from '../../tools/relay.ts';
import { deferred } from '../support/deferred.ts';
import { makeFolder } from '../support/folder.ts';
import {
  createRelayScene,
  redemption,
  redirectUri,
  tokenResponse,
  type RelaySceneOptions,
} from '../support/relay-scene.ts';

const config = {
  providers: [
    {
      id: 'acme',
      clientId: 'latchkey',
      tokenEndpoint: 'https://id.acme.example/token',
      redirectUris: [redirectUri],
    },
  ],
};

async function serve(options: RelaySceneOptions = {}) {
  const scene = createRelayScene(options);
  const stops: (() => Promise<unknown>)[] = [];
  const server = await serveRelay(scene.send, { host: '127.0.0.1', port: 0 }, (stop) => stops.push(stop));
  const stop = async () => void (await stops.pop()?.());
  onTestFinished(stop);
  const { port } = server.address() as AddressInfo;
  return { ...scene, stop, port, url: `http://127.0.0.1:${port}` };
}

test('the relay listens on this computer alone, unless it is told otherwise, and names each mistake', () => {
  const path = join(makeFolder({ 'relay.json': config }), 'relay.json');
  const read = (more: Record<string, string>) => readRelayOptions({ LATCHKEY_RELAY_CONFIG: path, ...more });
  const secret = { LATCHKEY_RELAY_SECRET_ACME: 'a secret of acme' };
  expect(read(secret)).toMatchObject({ host: '127.0.0.1', port: 8787 });
  const chosen = { ...secret, LATCHKEY_RELAY_HOST: '0.0.0.0', LATCHKEY_RELAY_PORT: '80' };
  expect(read(chosen)).toMatchObject({ host: '0.0.0.0', port: 80 });
  expect(() => read({})).toThrow(`${path}: LATCHKEY_RELAY_SECRET_ACME: not set`);
  const wrong = join(makeFolder({ 'relay.json': {} }), 'relay.json');
  expect(() => read({ LATCHKEY_RELAY_CONFIG: wrong })).toThrow(`${wrong}: providers: missing`);
  expect(() => read({ LATCHKEY_RELAY_CONFIG: 'none.json' })).toThrow(
    /^none\.json: there is no such file; write it as docs\/relay\.md shows, or set LATCHKEY_RELAY_CONFIG to its path$/,
  );
});

test('a port that is taken is named, with what to set', async () => {
  const { port, send: relay } = await serve();
  await expect(serveRelay(relay, { host: '127.0.0.1', port }, () => undefined)).rejects.toThrow(
    `The relay can't listen at 127.0.0.1, port ${port} (EADDRINUSE). Set LATCHKEY_RELAY_PORT to a free port`,
  );
});

test('the server stops when it has answered the requests that have arrived', async () => {
  const held = deferred<Response>();
  const { url, stop, forwarded } = await serve({ answer: () => held.promise });
  const answer = fetch(`${url}/token/acme`, { method: 'POST', body: new URLSearchParams(redemption) });
  await expect.poll(() => forwarded.length).toBe(1);
  const stopped = stop();
  held.resolve(Response.json(tokenResponse));
  expect(await (await answer).json()).toMatchObject(tokenResponse);
  await stopped;
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});

test('the server hands a request to the relay, and its answer to the caller', async () => {
  const { url, forwarded } = await serve();
  const answer = await fetch(`${url}/token/acme`, { method: 'POST', body: new URLSearchParams(redemption) });
  expect([answer.status, await answer.json()]).toMatchObject([200, { access_token: 'access-1' }]);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect({ ...Object.fromEntries(forwarded[0]?.form ?? []), client_id: 'latchkey' }).toEqual(redemption);
});

test('the server answers a request that is too large, and reads no more of it', async () => {
  const { port, forwarded } = await serve();
  const answer = await send(
    port,
    `POST /token/acme HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n2800\r\n${'a'.repeat(0x2800)}\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer.toLowerCase()).toContain('connection: close');
  expect(forwarded).toEqual([]);
});

test.each([
  'TRACE /token/acme',
  'GET //evil.example/token/acme',
  'GET http://evil.example/token/acme',
  'OPTIONS *',
])('the server refuses %s', async (line) => {
  const { port, forwarded } = await serve();
  expect(await send(port, `${line} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 40[45] /,
  );
  expect(forwarded).toEqual([]);
});

/** Sends a request as it is, and returns what the server sends until it closes the connection. */
function send(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}
