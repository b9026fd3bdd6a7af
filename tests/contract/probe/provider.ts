// The server of the contract: the pages of a provider, and the acts outside of the extension that its rows ask for.

import type { ServerResponse } from 'node:http';
import { listenOnLoopback } from '../../../tools/demo-provider/loopback.ts';
import type { Act } from '../row.ts';

export type ContractProvider = Awaited<ReturnType<typeof startContractProvider>>;

/** The page waits for the person's consent, and then redirects. */
const question = `<!doctype html><title>Question</title><script>
fetch('/consent').then(() => { location = new URLSearchParams(location.search).get('to') + '?code=1'; });
</script>`;

/** Starts the server. The person's consent is its own; it hands every other act to `act`. */
export async function startContractProvider(act: (act: Act) => Promise<void>) {
  let consent: 'awaited' | 'given' = 'awaited';
  let asked: ServerResponse[] = [];
  let hanging: ServerResponse[] | 'failed' = [];
  const perform = async (wanted: Act) => {
    if (wanted === 'the page that hangs fails') {
      const responses = hanging === 'failed' ? [] : hanging;
      // Chromium asks once more.
      hanging = 'failed';
      for (const response of responses) response.destroy();
      return undefined;
    }
    if (wanted !== 'the person agrees') return act(wanted);
    // Firefox loads the first page of a window twice, so the question may come again.
    consent = 'given';
    for (const response of asked) response.end();
    asked = [];
  };
  const loopback = await listenOnLoopback(0);
  loopback.serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/asks') response.setHeader('content-type', 'text/html').end(question);
    else if (pathname === '/consent' && consent === 'given') response.end();
    else if (pathname === '/consent') asked.push(response);
    else if (pathname === '/redirects')
      response.writeHead(302, { location: `${searchParams.get('to')}?code=1` }).end();
    else if (pathname === '/hangs' && hanging === 'failed') response.destroy();
    else if (pathname === '/hangs' && hanging !== 'failed') hanging.push(response);
    else if (pathname.startsWith('/act/')) {
      perform(decodeURIComponent(pathname.slice('/act/'.length)) as Act).then(
        () => response.end(),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    }
  });
  return {
    address: `http://localhost:${loopback.port}`,
    /** Forgets what happened in the row before. */
    reset() {
      consent = 'awaited';
      hanging = [];
    },
    close: loopback.close,
  };
}
