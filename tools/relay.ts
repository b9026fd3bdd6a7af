// Runs the token relay on Node: `npm run relay`. docs/relay.md says what it is for.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { ReadableStream } from 'node:stream/web';
import { type RelayConfig, RelayConfigError, readRelayConfig } from '../src/relay/config.ts';
import { createRelay, type LogEntry } from '../src/relay/relay.ts';
import { FileError } from './build/parse-json.ts';
import { readJson } from './build/read-text.ts';
import { expectNoOptions, isCommand, runCommand, UsageError } from './command.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Relay = (request: Request) => Promise<Response>;

/** A client has 10 s to send its headers; the relay itself gives the body as long. Node would look only every 30 s. */
const timeouts = { requestTimeout: 10_000, connectionsCheckingInterval: 1000 };

export interface RelayServer {
  /** `http://<host>:<port>` */
  readonly url: string;
  /** Stops at once and closes open connections. */
  close(): Promise<void>;
}

/** The settings of `npm run relay`, which are all in the environment. */
export interface RelayOptions {
  readonly config: RelayConfig;
  readonly host: string;
  readonly port: number;
}

/**
 * Reads `LATCHKEY_RELAY_CONFIG` (`relay.json` by default), `LATCHKEY_RELAY_HOST` (127.0.0.1), `LATCHKEY_RELAY_PORT` (8787), and
 * each provider's secret. Throws a `FileError` with every mistake of the configuration, or a {@link UsageError}.
 */
export function readRelayOptions(environment: Environment = process.env): RelayOptions {
  // A shell sets a variable to nothing in order to unset it.
  const path = environment['LATCHKEY_RELAY_CONFIG'] || 'relay.json';
  const port = environment['LATCHKEY_RELAY_PORT'] || '8787';
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) {
    throw new UsageError(`LATCHKEY_RELAY_PORT is ${JSON.stringify(port)}; expected a port, from 1 to 65535.`);
  }
  const value = readJson(resolve(path), path);
  try {
    const config = readRelayConfig(value, environment);
    return { config, host: environment['LATCHKEY_RELAY_HOST'] || '127.0.0.1', port: Number(port) };
  } catch (error) {
    if (!(error instanceof RelayConfigError)) throw error;
    throw new FileError(error.problems.map((line) => `${path}: ${line}`));
  }
}

/** Serves a relay over HTTP. Throws a {@link UsageError} if the address cannot be listened on. */
export async function serveRelay(
  relay: Relay,
  { host, port }: Pick<RelayOptions, 'host' | 'port'>,
): Promise<RelayServer> {
  const server = createServer(timeouts, (request, response) => {
    answer(relay, request, response).catch(() => {
      // The client has closed the connection, so there is no one to answer.
      response.destroy();
    });
  });
  await listen(server, host, port);
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: toAddress(host, taken),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** The address of a server. An IPv6 host stands in brackets. */
export function toAddress(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((listening, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(
        new UsageError(
          cause.code === 'EADDRINUSE'
            ? `Port ${port} is taken. Stop the program that uses it, or set LATCHKEY_RELAY_PORT to another port.`
            : `The relay cannot listen on ${host}, port ${port} (${cause.code}). Correct LATCHKEY_RELAY_HOST and LATCHKEY_RELAY_PORT.`,
          { cause },
        ),
      ),
    );
    server.listen({ host, port }, () => listening());
  });
}

async function answer(relay: Relay, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '' } = request;
  // The relay needs no other method, and a standard request cannot be made of each.
  const init = method === 'POST' ? { method, body: toBody(request), duplex: 'half' } : { method: 'GET' };
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  const { status, headers: answered, body } = await relay(new Request(toUrl(request), { ...init, headers }));
  // The rest of a request that was too large is not read.
  if (!request.complete) response.setHeader('connection', 'close');
  response.writeHead(status, Object.fromEntries(answered));
  response.end(body === null ? undefined : Buffer.from(await new Response(body).arrayBuffer()));
}

/** Only the path matters to the relay. */
function toUrl({ url = '/' }: IncomingMessage): string {
  return `http://relay.invalid/${url.replace(/^\/+/, '')}`;
}

/** The relay stops reading where a body is too large. The connection stays open for its answer. */
function toBody(request: IncomingMessage): BodyInit {
  return ReadableStream.from(request.iterator({ destroyOnReturn: false })) as BodyInit;
}

/** One line of the log. */
export function describeEntry({ provider, purpose, status, error }: LogEntry): string {
  return [purpose ?? '-', provider ?? '-', status, error ?? ''].join(' ').trimEnd();
}

if (isCommand(import.meta.url)) {
  await runCommand(async (onStop) => {
    expectNoOptions();
    const options = readRelayOptions();
    const relay = createRelay(options.config, { log: (entry) => console.log(describeEntry(entry)) });
    const server = await serveRelay(relay, options);
    onStop(server.close);
    for (const { id, revocationEndpoint } of options.config.providers) {
      console.log(`${server.url}/token/${id}`);
      if (revocationEndpoint !== null) console.log(`${server.url}/revoke/${id}`);
    }
    if (!['127.0.0.1', '::1', 'localhost'].includes(options.host)) {
      console.log(
        'Other computers can reach the relay without encryption: put an HTTPS server in front of it.',
      );
    }
    await new Promise(() => {});
  });
}
