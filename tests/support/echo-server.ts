// A server that echoes requests, and has a path for each way in which a server can respond.

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { listenOnLoopback } from '../../tools/demo-provider/loopback.ts';

export type EchoServer = Awaited<ReturnType<typeof startEchoServer>>;

type Answer = (request: IncomingMessage, response: ServerResponse, url: URL) => void;

export async function startEchoServer() {
  let count = 0;
  const sockets = new Map<string, Socket>();
  const happened = new Set<string>();
  const waiting = new Map<string, () => void>();
  const report = (event: string) => {
    happened.add(event);
    waiting.get(event)?.();
  };
  const wait = (event: string) =>
    new Promise<void>((resolve) => {
      if (happened.has(event)) resolve();
      else waiting.set(event, resolve);
    });

  const loopback = await listenOnLoopback(0);
  loopback.serve((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    count += 1;
    sockets.set(request.url ?? '', request.socket);
    report(`arrived ${request.url}`);
    response.on('close', () => {
      if (!response.writableFinished) report(`cut off ${request.url}`);
    });
    response.setHeader('cache-control', 'no-store');
    (answers[url.pathname] ?? answers['/echo'])?.(request, response, url);
  });

  return {
    origin: `http://127.0.0.1:${loopback.port}`,
    /** The number of requests received. */
    requests: () => count,
    /** The number of bytes sent over the connection of the last request to `path`. */
    sent: (path: string) => sockets.get(path)?.bytesWritten ?? 0,
    /** Resolves when a request to `path` has been received. */
    arrived: (path: string) => wait(`arrived ${path}`),
    /** Resolves when the connection of a request to `path` has closed before the response was complete. */
    cutOff: (path: string) => wait(`cut off ${path}`),
    close: loopback.close,
  };
}

/** How many requests to "/refuse-every-other" there were. */
let refusals = 0;

const answers: Record<string, Answer> = {
  '/refuse-every-other': (_request, response) => {
    refusals += 1;
    response.statusCode = refusals % 2 === 1 ? 401 : 200;
    response.end();
  },
  '/echo': (request, response, url) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      // These headers differ between a page and the worker.
      const headers = Object.entries(request.headers).filter(
        ([name]) => !/^(host|connection|sec-.*)$/.test(name),
      );
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          method: request.method,
          url: url.pathname + url.search,
          headers: Object.fromEntries(headers.toSorted()),
          body:
            body.byteLength > 1000
              ? createHash('sha256').update(body).digest('hex')
              : body.toString('latin1'),
          length: body.byteLength,
        }),
      );
    });
  },
  /** Responds with `?status=`, the status text `?text=`, `?body=` and the content type `?type=`. */
  '/answer': (_request, response, url) => {
    const { status = '200', text = '', body = '', type } = Object.fromEntries(url.searchParams);
    if (type !== undefined) response.setHeader('content-type', type);
    response.writeHead(Number(status), text);
    response.end(body);
  },
  '/headers': (_request, response) => {
    response.writeHead(
      200,
      [
        ['X-Twice', 'one'],
        ['x-twice', 'two'],
        ['X-Empty', ''],
        ['X-Spaces', '  before'],
        ['X-Latin', 'caf\u00e9'],
        ['Vary', 'Origin, Accept'],
      ].flat(),
    );
    response.end('fine');
  },
  '/redirect': (_request, response, url) => {
    const { status = '302', to = '/echo' } = Object.fromEntries(url.searchParams);
    response.writeHead(Number(status), { location: to });
    response.end();
  },
  '/gzip': (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/plain' });
    response.end(gzipSync('packed and unpacked'));
  },
  '/bytes': (_request, response, url) => {
    let left = Number(url.searchParams.get('length'));
    const piece = Buffer.from(Array.from({ length: 65_536 }, (_, index) => index % 251));
    const send = () => {
      while (left > 0) {
        const next = piece.subarray(0, Math.min(left, piece.byteLength));
        left -= next.byteLength;
        if (!response.write(next)) return;
      }
      response.end();
    };
    response.on('drain', send);
    send();
  },
  '/form': (request, response) => {
    response.setHeader('content-type', request.headers['content-type'] ?? 'text/plain');
    request.pipe(response);
  },
  '/silent': () => undefined,
  /**
   * Begins a body and never ends it. Each case asks with a query of its own, because Firefox lets a request wait 20 s while
   * another response from the same URL is unfinished.
   */
  '/stuck': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.write('the beginning');
  },
  '/broken': (_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('the beginning', () => response.destroy());
  },
  '/refuse': (_request, response) => {
    response.destroy();
  },
};
