// Listens on the loopback interface only. Programs resolve "localhost" to 127.0.0.1 or to ::1, and browsers try either
// first, so it takes the same port on both.

import { type RequestListener, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Loopback {
  readonly port: number;
  serve(listener: RequestListener): void;
  /** Frees the port at once and closes open connections. */
  close(): Promise<void>;
}

/** The port is taken. The message names it and says what to do. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
  readonly port: number;

  constructor(port: number, options: ErrorOptions) {
    super(
      `The demo provider cannot start: port ${port} is taken. Stop the program that uses it (another \`npm start\`?), then try again.`,
      options,
    );
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
  const loopback = {
    serve(listener: RequestListener) {
      for (const server of servers) server.on('request', listener);
    },
    async close() {
      await Promise.all(servers.map(close));
    },
  };
  try {
    const port = await listen(servers[0], '127.0.0.1', requestedPort);
    await listen(servers[1], '::1', port).catch((error: unknown) => {
      if (!['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(codeOf(error))) throw error;
    });
    return { port, ...loopback };
  } catch (error) {
    await loopback.close();
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    // A port that is free on one address may be taken on the other. The next free port is another one.
    if (requestedPort === 0) return listenOnLoopback(requestedPort);
    throw new PortTakenError(requestedPort, { cause: error });
  }
}

/** Resolves with the port. */
function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Resolves even if the server is not listening. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
