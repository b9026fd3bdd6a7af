// Protected APIs in memory, at origins of their own. They record their calls and answer as the test says. Like a
// browser's network they stop at the request's signal, also in the middle of a body.

export const apiOrigin = 'https://api.example';
/** Those of further APIs, for tokens of their own. */
export const payOrigin = 'https://pay.example';
export const mailOrigin = 'https://mail.example';

export const apiOrigins: readonly string[] = [apiOrigin, payOrigin, mailOrigin];

interface ApiCall {
  readonly url: string;
  readonly method: string;
  /** The access token of the request. */
  readonly token: string | null;
  readonly headers: Headers;
  readonly body: string;
  readonly init: RequestInit;
}

export function createScriptedApi() {
  const calls: ApiCall[] = [];
  const api = {
    calls: calls as readonly ApiCall[],
    /** The response to a call. Default: 200 with the number of the call. */
    answer: (_call: ApiCall, index: number): Response | Promise<Response> =>
      Response.json({ call: index + 1 }),
    async fetch(url: string, init: RequestInit): Promise<Response> {
      const { signal } = init;
      signal?.throwIfAborted();
      const headers = new Headers(init.headers);
      const body = await new Response(init.body).text();
      const token = /^(?:Bearer|DPoP) (.+)$/.exec(headers.get('authorization') ?? '')?.[1] ?? null;
      const call = { url, method: init.method ?? 'GET', token, headers, body, init };
      calls.push(call);
      const aborted = onAbort(signal);
      const answer = await Promise.race([api.answer(call, calls.length - 1), aborted.promise]).finally(
        aborted.stop,
      );
      return cut(answer, signal, url);
    },
  };
  return api;
}

/** The response of a fetch that was redirected to `url`. */
export function redirectedTo(url: string, answer: Response): Response {
  return withOwn(answer, { url, redirected: true });
}

/** The response of a fetch with `redirect: 'manual'` to a redirect. */
export function heldBack(): Response {
  return withOwn(Response.error(), { type: 'opaqueredirect' });
}

/** The same response with properties that the constructor does not take. */
function withOwn(answer: Response, own: Partial<Pick<Response, 'url' | 'redirected' | 'type'>>): Response {
  for (const [key, value] of Object.entries(own)) Object.defineProperty(answer, key, { value });
  return answer;
}

/** A promise that rejects when the signal aborts, until `stop` is called. */
function onAbort(signal: AbortSignal | null | undefined) {
  let stop = () => undefined as void;
  const promise = new Promise<never>((_resolve, reject) => {
    const abort = () => reject(signal?.reason as Error);
    signal?.addEventListener('abort', abort);
    stop = () => signal?.removeEventListener('abort', abort);
  });
  return { promise, stop };
}

/** The same response, whose body breaks off when the request is aborted. */
function cut(answer: Response, signal: AbortSignal | null | undefined, requested: string): Response {
  if (answer.status === 0) return answer;
  const { status, statusText, headers, redirected } = answer;
  const body = answer.body?.pipeThrough(new TransformStream(), signal ? { signal } : {}) ?? null;
  return withOwn(new Response(body, { status, statusText, headers }), {
    url: answer.url || requested,
    redirected,
  });
}
