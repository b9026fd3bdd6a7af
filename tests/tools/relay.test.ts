import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { FileError } from '../../tools/build/parse-json.ts';
import { UsageError } from '../../tools/command.ts';
import { describeEntry, readRelayOptions, serveRelay, toAddress } from '../../tools/relay.ts';
import { createRelayScene, redemption, redirectUri } from '../support/relay-scene.ts';

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
const secret = 'a secret of acme';

let path: string;

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-relay-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  path = join(folder, 'relay.json');
  await writeFile(path, JSON.stringify(config));
});

const read = (more: Record<string, string> = {}) =>
  readRelayOptions({ LATCHKEY_RELAY_CONFIG: path, LATCHKEY_RELAY_SECRET_ACME: secret, ...more });

async function serve(options: Parameters<typeof createRelayScene>[0] = {}) {
  const scene = createRelayScene(options);
  const server = await serveRelay(scene.send, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => server.close());
  return { ...scene, ...server };
}

test('the relay listens on this computer alone, unless it is told otherwise', () => {
  expect(read()).toMatchObject({
    host: '127.0.0.1',
    port: 8787,
    config: { providers: [{ clientSecret: secret }] },
  });
  expect(read({ LATCHKEY_RELAY_HOST: '0.0.0.0', LATCHKEY_RELAY_PORT: '80' })).toMatchObject({
    host: '0.0.0.0',
    port: 80,
  });
});

test.each(['0', '65536', 'x', '-1', '1.5'])('the port "%s" is refused', (port) => {
  expect(() => read({ LATCHKEY_RELAY_PORT: port })).toThrow(UsageError);
});

test('a file that is missing, is no JSON, or has mistakes is named, with each mistake', async () => {
  expect(() => readRelayOptions({ LATCHKEY_RELAY_CONFIG: `${path}.x` })).toThrow(
    new FileError([`${path}.x: there is no such file`]),
  );
  expect(() => read({ LATCHKEY_RELAY_SECRET_ACME: '' })).toThrow(
    new FileError([
      `${path}: LATCHKEY_RELAY_SECRET_ACME: not set; expected the client secret that the provider gave you`,
    ]),
  );
  await writeFile(path, '{"providers": [], "providers": []}');
  expect(() => read()).toThrow(/duplicate key/);
});

test('the server hands a request to the relay, and its answer to the caller', async () => {
  const { url, forwarded } = await serve();
  const answer = await fetch(`${url}/token/acme`, { method: 'POST', body: new URLSearchParams(redemption) });
  expect([answer.status, await answer.json()]).toMatchObject([200, { access_token: 'access-1' }]);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect({ ...Object.fromEntries(forwarded[0]?.form ?? []), client_id: 'latchkey' }).toEqual(redemption);
});

test('the server answers a request that is too large, and reads no more of it', async () => {
  const { url, forwarded } = await serve();
  const answer = await send(
    url,
    'POST /token/acme HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\n' +
      `transfer-encoding: chunked\r\n\r\n2800\r\n${'a'.repeat(0x2800)}\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer.toLowerCase()).toContain('connection: close');
  expect(forwarded).toEqual([]);
});

test.each([
  'TRACE /token/acme',
  'GET //evil.example/token/acme',
  'GET http://evil.example/token/acme',
  'OPTIONS *',
])('the server refuses %s', async (line) => {
  const { url, forwarded } = await serve();
  expect(await send(url, `${line} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 40[45] /,
  );
  expect(forwarded).toEqual([]);
});

test('a port that is taken is named, with what to do', async () => {
  const { url, send: relay } = await serve();
  const port = Number(new URL(url).port);
  await expect(serveRelay(relay, { host: '127.0.0.1', port })).rejects.toThrow(
    new UsageError(
      `Port ${port} is taken. Stop the program that uses it, or set LATCHKEY_RELAY_PORT to another port.`,
    ),
  );
});

test('the address that is printed can be opened, of IPv6 too', () => {
  expect(new URL(toAddress('::1', 8787)).host).toBe('[::1]:8787');
  expect(new URL(toAddress('127.0.0.1', 8787)).host).toBe('127.0.0.1:8787');
});

test('a line of the log has no more than the path, the status and the error code', () => {
  const entry = { provider: 'acme', purpose: 'token', status: 200, error: null } as const;
  expect(describeEntry(entry)).toBe('token acme 200');
  expect(describeEntry({ ...entry, status: 400, error: 'invalid_grant' })).toBe(
    'token acme 400 invalid_grant',
  );
  expect(describeEntry({ ...entry, provider: null, purpose: null, status: 404 })).toBe('- - 404');
});

/** Sends a request as it is, and returns what the server sends until it closes the connection. */
function send(url: string, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(request));
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}
