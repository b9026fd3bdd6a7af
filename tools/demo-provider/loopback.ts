// Listens on the loopback interface only. Programs resolve "localhost" to 127.0.0.1 or to ::1, and browsers try either
// first, so it takes the same port on both.

import { once } from 'node:events';
import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Loopback {
  readonly port: number;
  serve(listener: RequestListener): void;
  close(): Promise<void>;
}

/** The port is taken. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
  readonly port: number;

  constructor(port: number, options: ErrorOptions) {
    super(`Port ${port} is taken.`, options);
    this.port = port;
  }
}

/**
 * Listens on `requestedPort`, or on a free port for 0. A computer without IPv6 listens on 127.0.0.1 only.
 *
 * Throws {@link PortTakenError}.
 */
export async function listenOnLoopback(requestedPort: number): Promise<Loopback> {
  const servers = [createServer(), createServer()] as const;
  const [first, second] = servers;
  const loopback = {
    serve(listener: RequestListener) {
      for (const server of servers) server.on('request', listener);
    },
    async close() {
      for (const server of servers) {
        // It may not be listening.
        const closed = new Promise((resolve) => server.close(resolve));
        server.closeAllConnections();
        await closed;
      }
    },
  };
  try {
    await once(first.listen(requestedPort, '127.0.0.1'), 'listening');
    const { port } = first.address() as AddressInfo;
    await once(second.listen(port, '::1'), 'listening').catch((error: unknown) => {
      if (!['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(codeOf(error))) throw error;
    });
    return { port, ...loopback };
  } catch (error) {
    await loopback.close();
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    // A port that is free on one address may be taken on the other. The next free port will be a different one.
    if (requestedPort === 0) return listenOnLoopback(requestedPort);
    throw new PortTakenError(requestedPort, { cause: error });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
