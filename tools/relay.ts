// Runs the token relay on Node: `npm run relay`. docs/relay.md says what it is for.

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ReadableStream } from 'node:stream/web';
import { type RelayConfig, readRelayConfig } from './relay/config.ts';
import { createRelay, type LogEntry } from './relay/relay.ts';
import { readJson } from './build/read-text.ts';
import { readOptions, readPort, runIfStarted, toMessage, type OnStop } from './command.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Relay = (request: Request) => Promise<Response>;

/** A request has 10 s to arrive. By default Node only checks every 30 s. */
const timeouts = { requestTimeout: 10_000, connectionsCheckingInterval: 1000 };

/** The settings of `npm run relay`, which are all in the environment. */
export interface RelayOptions {
  readonly config: RelayConfig;
  readonly host: string;
  readonly port: number;
}

/**
 * Reads `LATCHKEY_RELAY_CONFIG` (`relay.json` by default), `LATCHKEY_RELAY_HOST` (127.0.0.1), `LATCHKEY_RELAY_PORT` (8787), and
 * each provider's secret. Throws an Error with every mistake of the configuration, or a `UsageError` for the port.
 */
export function readRelayOptions(environment: Environment = process.env): RelayOptions {
  // In a shell, an empty variable usually means an unset one.
  const path = environment['LATCHKEY_RELAY_CONFIG'] || 'relay.json';
  const port = readPort('LATCHKEY_RELAY_PORT', 8787, environment);
  const remedy = 'write it as docs/relay.md shows, or set LATCHKEY_RELAY_CONFIG to its path';
  if (!existsSync(path)) throw new Error(`${path}: there is no such file; ${remedy}`);
  const json = readJson(path, '.');
  try {
    const config = readRelayConfig(json, environment);
    return { config, host: environment['LATCHKEY_RELAY_HOST'] || '127.0.0.1', port };
  } catch (cause) {
    throw new Error(toMessage(cause).replaceAll(/^/gm, `${path}: `), { cause });
  }
}

/**
 * Serves a relay over HTTP. Resolves with the server once it listens. When the command ends, the requests that have arrived still
 * get a response, because otherwise a renewed refresh token would be lost. Throws an Error that says what to do if it can't listen.
 */
export async function serveRelay(
  relay: Relay,
  { host, port }: Pick<RelayOptions, 'host' | 'port'>,
  onStop: OnStop,
): Promise<Server> {
  const server = createServer(timeouts, (request, response) => {
    // A connection that is kept for more requests would delay the end.
    response.once('finish', () => void (server.listening || request.socket.end()));
    // The client has closed the connection, so no one gets a response.
    answer(relay, request, response).catch(() => response.destroy());
  });
  server.listen({ host, port });
  await once(server, 'listening').catch((cause: unknown) => {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(
      `The relay can't listen at ${host}, port ${port} (${code}). Set LATCHKEY_RELAY_PORT to a free port, ` +
        'and LATCHKEY_RELAY_HOST to an address of this computer.',
      { cause },
    );
  });
  onStop(async () => {
    const closed = once(server, 'close');
    server.close();
    await closed;
  });
  return server;
}

async function answer(relay: Relay, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url = '/' } = request;
  // The relay needs no other method, and a standard `Request` doesn't allow all of them.
  const init = method === 'POST' ? { method, body: toBody(request), duplex: 'half' } : { method: 'GET' };
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  // Only the path matters to the relay.
  const address = `http://relay.invalid/${url.replace(/^\/+/, '')}`;
  const { status, headers: answered, body } = await relay(new Request(address, { ...init, headers }));
  // The rest of a request that was too large isn't read.
  if (!request.complete) response.setHeader('connection', 'close');
  response.writeHead(status, Object.fromEntries(answered));
  response.end(body === null ? undefined : Buffer.from(await new Response(body).arrayBuffer()));
}

/** The relay stops reading where a body is too large. The connection stays open for its response. */
function toBody(request: IncomingMessage): BodyInit {
  return ReadableStream.from(request.iterator({ destroyOnReturn: false })) as BodyInit;
}

function describeEntry({ provider, purpose, status, error }: LogEntry): string {
  return [purpose ?? '-', provider ?? '-', status, error ?? ''].join(' ').trimEnd();
}

await runIfStarted(import.meta.url, async (onStop) => {
  readOptions({}, '');
  const { config, host, port } = readRelayOptions();
  const relay = createRelay(config, { log: (entry) => console.log(describeEntry(entry)) });
  await serveRelay(relay, { host, port }, onStop);
  for (const { id, revocationEndpoint } of config.providers) {
    console.log(`http://${host}:${port}/token/${id}`);
    if (revocationEndpoint !== null) console.log(`http://${host}:${port}/revoke/${id}`);
  }
  if (!['127.0.0.1', '::1', 'localhost'].includes(host)) {
    console.log(
      'Other computers can reach the relay without encryption: put an HTTPS server in front of it.',
    );
  }
  await new Promise(() => {});
});
