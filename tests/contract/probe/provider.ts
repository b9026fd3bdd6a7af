// The server of the contract: the pages of a provider, and the acts outside of the extension that its rows ask for.

import type { ServerResponse } from 'node:http';
import { listenOnLoopback } from '../../../tools/demo-provider/loopback.ts';
import type { Act } from '../row.ts';

export type ContractProvider = Awaited<ReturnType<typeof startContractProvider>>;

/** The page waits for the user's consent, and then redirects. */
const question = `<!doctype html><title>Question</title><script>
fetch('/consent').then(() => { location = new URLSearchParams(location.search).get('to') + '?code=1'; });
</script>`;

const late = `<!doctype html><title>Late</title><script>
setTimeout(() => { location = new URLSearchParams(location.search).get('to') + '?code=1'; }, 2_000);
</script>`;

const leaving = `<!doctype html><title>Form</title><input><script>
addEventListener('beforeunload', (event) => { event.preventDefault(); event.returnValue = 'Leave?'; });
</script>`;

const closing = `<!doctype html><title>Close</title><script>setTimeout(close, 500);</script>`;

const posting = `<!doctype html><title>Form</title><form method="post"><input name="code" value="1"></form><script>
const [form] = document.forms;
form.action = new URLSearchParams(location.search).get('to');
setTimeout(() => form.submit(), 500);
</script>`;

/** Holds responses back until `release`, which ends them and every later one. */
function holdBack(end: (response: ServerResponse) => unknown) {
  let held: ServerResponse[] | null = [];
  return {
    reset: () => void (held = []),
    add: (response: ServerResponse) => void (held === null ? end(response) : held.push(response)),
    release() {
      for (const response of held ?? []) end(response);
      held = null;
    },
  };
}

/** Starts the server. The user's consent is its own; it hands every other act to `act`. */
export async function startContractProvider(act: (act: Act) => Promise<void>) {
  // Firefox loads the first page of a window twice, so the question may come again.
  const questions = holdBack((response) => response.end());
  // Chromium asks once more.
  const hanging = holdBack((response) => response.destroy());
  const perform = async (wanted: Act) => {
    if (wanted === 'the page that hangs fails') hanging.release();
    else if (wanted === 'the user agrees') questions.release();
    else await act(wanted);
  };
  let loads = 0;
  const loopback = await listenOnLoopback(0);
  loopback.serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const showPage = (html: string, status = 200) =>
      response.writeHead(status, { 'content-type': 'text/html' }).end(html);
    if (pathname === '/asks') {
      loads += 1;
      showPage(question);
    } else if (pathname === '/answers-late') showPage(late);
    else if (pathname === '/asks-to-leave') showPage(leaving);
    else if (pathname === '/closes-itself') showPage(closing);
    else if (pathname === '/posts-its-answer') showPage(posting);
    else if (pathname === '/has-the-browser-ask')
      response.writeHead(401, { 'www-authenticate': 'Basic realm="Acme"' }).end();
    else if (pathname === '/401') showPage('<!doctype html><title>Wrong password</title>', 401);
    else if (pathname === '/loads') response.end(String(loads));
    else if (pathname === '/consent') questions.add(response);
    else if (pathname === '/redirects')
      response.writeHead(302, { location: `${searchParams.get('to')}?code=1` }).end();
    else if (pathname === '/hangs') hanging.add(response);
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
      loads = 0;
      questions.reset();
      hanging.reset();
    },
    close: loopback.close,
  };
}
