// Listening on the loopback interface, and nowhere else. "localhost" is 127.0.0.1 to some programs and ::1 to
// others, and browsers try either first, so that one port is taken on both.

import { type RequestListener, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Loopback {
  readonly port: number;
  serve(listener: RequestListener): void;
  /** Frees the port at once, open connections included. */
  close(): Promise<void>;
}

/**
 * Takes a port, or a free one for 0. A computer without IPv6 has the IPv4 address alone.
 *
 * @throws Error that names the port and what to do, if it is taken.
 */
export async function listenOnLoopback(wanted: number): Promise<Loopback> {
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
    const port = await listen(servers[0], '127.0.0.1', wanted);
    await listen(servers[1], '::1', port).catch((error: unknown) => {
      if (!['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(codeOf(error))) throw error;
    });
    return { port, ...loopback };
  } catch (error) {
    await loopback.close();
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    // A port that was free on one address may be taken on the other. The next one will be another.
    if (wanted === 0) return listenOnLoopback(wanted);
    throw new Error(
      `The demo provider cannot start: port ${wanted} is taken. Stop the program that uses it (another \`npm start\`?), then try again.`,
      { cause: error },
    );
  }
}

/** Resolves to the port. */
function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Resolves also for a server that does not listen, or no longer. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
