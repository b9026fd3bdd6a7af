// Cases for comparing two implementations of fetch and Response. They follow the web platform tests, and use nothing from
// Node or an extension, so that they run anywhere.

export type Fetch = typeof fetch;
export type Run = (fetch: Fetch, url: (path: string) => string) => Promise<unknown>;
/** How a case ended. */
export type Outcome = { readonly resolved: unknown } | { readonly rejected: unknown };

/** Runs a case against the server at `origin`. Errors are compared by class and name; their texts differ by platform. */
export async function observe(run: Run, fetch: Fetch, origin: string): Promise<Outcome> {
  try {
    return { resolved: await run(fetch, (path) => `${origin}${path}`) };
  } catch (thrown) {
    return { rejected: thrown instanceof Error ? `${thrown.constructor.name} ${thrown.name}` : thrown };
  }
}

async function summarize(response: Response) {
  const { status, statusText, ok, url, redirected, type, headers, bodyUsed } = response;
  const { date: _date, ...named } = Object.fromEntries(headers);
  return {
    isResponse: response instanceof Response,
    status,
    statusText,
    ok,
    url,
    redirected,
    type,
    bodyUsed,
    headers: named,
    hasBody: response.body !== null,
    body: await response.text(),
  };
}

const asks =
  (path: string, init?: RequestInit): Run =>
  async (fetch, url) =>
    summarize(await fetch(url(path), init));
const posts = (body: BodyInit | null | undefined, init: RequestInit = {}): Run =>
  asks('/echo', { method: 'POST', body: body ?? null, ...init });
const reads =
  (path: string, read: (response: Response) => unknown): Run =>
  async (fetch, url) =>
    read(await fetch(url(path)));

function form() {
  const data = new FormData();
  data.append('name', 'Ada');
  data.append('name', 'Grace \u00e9\u{1f511}');
  data.append('file', new Blob(['one,two'], { type: 'text/csv' }), 'table.csv');
  return data;
}
/** The parts of a form, without its boundary, which is random. */
const formParts = (body: string, contentType: string | null) => {
  const boundary = /boundary=(\S+)/.exec(contentType ?? '')?.[1] ?? 'none';
  return { contentType: contentType?.replace(boundary, '…'), parts: body.replaceAll(boundary, '…') };
};

export const streamOf = (...chunks: unknown[]) =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
/** Sends a stream. A stream can be read once, so `make` creates one for each fetch. How it is chunked may differ. */
const streams =
  (make: () => ReadableStream, init: RequestInit = half): Run =>
  async (fetch, url) => {
    const response = await fetch(url('/echo'), { method: 'POST', body: make(), ...init });
    const { method, body, headers } = (await response.json()) as Record<string, Record<string, string>>;
    return [method, body, headers?.['content-type']];
  };
const half = { duplex: 'half' } as RequestInit;
/** The hash of the text "whole". */
const hashOfWhole = 'sha256-XVdmzy14cBYUIAQY7hRQaQ2a8SyE1SVF5IAvABrVMJk=';
const ascii = (text: string) => new TextEncoder().encode(text);
/** Begins a response, and returns it with the controller that aborts its request. */
const aborts =
  (path: string, use: (response: Response, abort: () => void) => unknown): Run =>
  async (fetch, url) => {
    const controller = new AbortController();
    return use(await fetch(url(path), { signal: controller.signal }), () => controller.abort());
  };
const reason = { toString: () => 'a reason of our own' };

export const cases: Record<string, Run> = {
  // Methods
  ...Object.fromEntries(
    ['GET', 'Put', 'head', 'PATCH', 'M-SEARCH'].map((method) => [
      `the method ${method}`,
      asks('/echo', { method }),
    ]),
  ),
  ...Object.fromEntries(
    ['CONNECT', 'TrAcE', '', 'two words'].map((method) => [
      `the forbidden or invalid method «${method}»`,
      asks('/echo', { method }),
    ]),
  ),
  'GET with a body': asks('/echo', { body: 'text' }),

  // Headers of the request
  'headers as a list, with one name twice': asks('/echo', {
    headers: [
      ['X-One', '1'],
      ['x-one', '2'],
    ],
  }),
  'a header with an empty value': asks('/echo', { headers: { 'x-one': '' } }),
  'a header in Latin-1': asks('/echo', { headers: { 'x-one': 'caf\u00e9' } }),

  // Bodies of the request
  'no body': posts(null),
  'an empty string': posts(''),
  'a string': posts('caf\u00e9 \u{1f511}'),
  'a string with its own type': posts('{}', { headers: { 'content-type': 'application/json' } }),
  URLSearchParams: posts(new URLSearchParams({ q: 'a b&c', '\u00e9': '1' })),
  'a Blob with a type': posts(new Blob(['one', 'two'], { type: 'text/csv' })),
  'an empty Blob with a type': posts(new Blob([], { type: 'text/csv' })),
  'a part of a typed array': posts(ascii('some bytes of many').subarray(5, 10)),
  'an object of another kind': posts({} as BodyInit),
  'a stream': streams(() => streamOf(ascii('one '), ascii('two'))),
  'a stream that is empty': streams(() => streamOf()),
  'a stream of numbers': streams(() => streamOf(1)),
  'a stream that breaks off': streams(
    () =>
      new ReadableStream({
        pull: () => {
          throw new RangeError('The disk is gone.');
        },
      }),
  ),
  'a stream that is locked': streams(() => {
    const body = streamOf(ascii('one'));
    body.getReader();
    return body;
  }),
  'a stream that has been read': streams(() => {
    const body = streamOf(ascii('one'));
    const reader = body.getReader();
    void reader.read();
    reader.releaseLock();
    return body;
  }),
  'a form': async (fetch, url) => {
    const response = await fetch(url('/form'), { method: 'POST', body: form() });
    return formParts(await response.clone().text(), response.headers.get('content-type'));
  },
  'a body of five megabytes': posts(new Uint8Array(5_000_000).fill(7)),

  // URLs
  'a URL object': async (fetch, url) => summarize(await fetch(new URL(url('/echo?q=1')))),
  'a URL with a fragment': asks('/echo?q=1#fragment'),
  'an invalid URL': async (fetch) => fetch('http://'),
  'a data URL': async (fetch) => summarize(await fetch('data:text/plain;charset=utf-8,caf%C3%A9')),
  'a port that nothing listens on': async (fetch) => fetch('http://127.0.0.1:1/'),

  // Request objects
  'a Request': async (fetch, url) =>
    summarize(
      await fetch(new Request(url('/echo'), { method: 'PUT', body: 'text', headers: { 'x-one': '1' } })),
    ),
  'a Request with options that override it': async (fetch, url) =>
    summarize(
      await fetch(new Request(url('/echo'), { method: 'PUT', headers: { 'x-one': '1' } }), {
        method: 'POST',
        headers: { 'x-two': '2' },
        body: 'more',
      }),
    ),
  'options that are null': async (fetch, url) =>
    summarize(await fetch(url('/echo'), null as unknown as RequestInit)),
  'a Request whose body is then used': async (fetch, url) => {
    const request = new Request(url('/echo'), { method: 'POST', body: 'text' });
    const response = await fetch(request);
    return [request.bodyUsed, await response.text()];
  },

  // Options
  'the cache mode only-if-cached, for another origin': asks('/echo', { cache: 'only-if-cached' }),
  'the cache mode no-store': asks('/echo', { cache: 'no-store' }),
  'integrity that matches': asks('/answer?body=whole', { integrity: hashOfWhole }),
  'integrity that does not match': asks('/answer?body=broken', { integrity: hashOfWhole }),

  // Responses
  ...Object.fromEntries(
    [200, 206, 300, 401, 404, 503, 599, 600, 999].map((status) => [
      `the status ${status}`,
      asks(`/answer?status=${status}&text=Some text&body=some body`),
    ]),
  ),
  ...Object.fromEntries(
    [204, 205, 304].map((status) => [
      `the status ${status}, which has no body`,
      asks(`/answer?status=${status}`),
    ]),
  ),
  'a status without a status text': asks('/answer?status=200&text='),
  HEAD: asks('/answer?body=unsent', { method: 'HEAD' }),
  'an empty response': asks('/answer'),
  'headers of a response': asks('/headers'),
  'a compressed response': asks('/gzip'),
  'three megabytes': reads('/bytes?length=3000000', async (response) =>
    [...new Uint8Array(await crypto.subtle.digest('SHA-256', await response.arrayBuffer()))].join(' '),
  ),
  'a response that breaks off': asks('/broken'),
  'the status of a response that breaks off': reads('/broken', ({ status }) => status),
  'a server that closes the connection': asks('/refuse'),

  // Reading
  json: reads('/answer?body={"a":[1]}', (response) => response.json()),
  'invalid json': reads('/answer?body={a', (response) => response.json()),
  arrayBuffer: reads('/answer?body=text', async (response) => [
    ...new Uint8Array(await response.arrayBuffer()),
  ]),
  blob: reads('/answer?body=text&type=text/csv', async (response) => {
    const blob = await response.blob();
    return [blob.type, blob.size, await blob.text()];
  }),
  'formData of a multipart form': async (fetch, url) => {
    const response = await fetch(url('/form'), { method: 'POST', body: form() });
    const data = await response.formData();
    const file = data.get('file') as File;
    return [data.getAll('name'), file.name, file.type, await file.text()];
  },
  'bodyUsed before and after': reads('/answer?body=text', async (response) => {
    const before = response.bodyUsed;
    await response.text();
    return [before, response.bodyUsed];
  }),
  'reading twice': reads('/answer?body=text', async (response) => {
    await response.text();
    return response.text();
  }),
  'reading a locked body': reads('/answer?body=text', (response) => {
    response.body?.getReader();
    return response.text();
  }),
  'reading with a reader': reads('/answer?body=text', async (response) => {
    const reader = response.body?.getReader();
    const first = await reader?.read();
    return [new TextDecoder().decode(first?.value), (await reader?.read())?.done, response.bodyUsed];
  }),
  'reading with a BYOB reader': reads('/answer?body=0123456789', async (response) => {
    const reader = response.body?.getReader({ mode: 'byob' });
    const read: unknown[] = [];
    for (;;) {
      const result = await reader?.read(new Uint8Array(4));
      read.push(result?.done, [...(result?.value ?? [])]);
      if (result?.done !== false) return read;
    }
  }),
  'reading half a Uint16 with a BYOB reader': reads('/answer?body=123', async (response) => {
    const reader = response.body?.getReader({ mode: 'byob' });
    const first = await reader?.read(new Uint16Array(4));
    return [first?.value?.length, await reader?.read(new Uint16Array(4)).catch((error: Error) => error.name)];
  }),
  'iterating over the body': reads('/answer?body=text', async (response) => {
    let text = '';
    for await (const chunk of response.body ?? []) text += new TextDecoder().decode(chunk);
    return text;
  }),
  'a body that is cancelled': reads('/stuck?1', async (response) => {
    await response.body?.cancel();
    return [response.bodyUsed, await response.text().catch((error: Error) => error.name)];
  }),
  'a clone, both read': reads('/answer?body=text', async (response) => {
    const clone = response.clone();
    return [await summarize(clone), await summarize(response)];
  }),
  'a clone of a clone, after a redirect': async (fetch, url) => {
    const response = await fetch(url('/redirect?to=/answer'));
    return summarize(response.clone().clone());
  },
  'a clone of a response without a body': reads('/answer?status=204', (response) =>
    summarize(response.clone()),
  ),
  'a Response constructed from another': reads('/answer?status=418&body=text', async (response) => {
    const { status, statusText, ok } = new Response(response.body, response);
    return [status, statusText, ok];
  }),

  // Redirects
  ...Object.fromEntries(
    [301, 302, 303, 307, 308].flatMap((status) => [
      [`a redirect with ${status}`, asks(`/redirect?status=${status}&to=/echo?q=1`)],
      [
        `a redirect with ${status} of a POST`,
        asks(`/redirect?status=${status}`, { method: 'POST', body: 'text' }),
      ],
    ]),
  ),
  'the redirect mode error': asks('/redirect', { redirect: 'error' }),
  'the redirect mode manual': asks('/redirect', { redirect: 'manual' }),

  // Signals
  'a signal that has aborted': asks('/echo', { signal: AbortSignal.abort() }),
  'a signal that has aborted with a reason': asks('/echo', { signal: AbortSignal.abort(reason) }),
  'a Request whose signal has aborted': async (fetch, url) =>
    fetch(new Request(url('/echo'), { signal: AbortSignal.abort(reason) })),
  'a timeout': asks('/silent', { signal: AbortSignal.timeout(1) }),
  'an abort before the response, with a reason': async (fetch, url) => {
    const controller = new AbortController();
    const answer = fetch(url('/silent'), { signal: controller.signal });
    setTimeout(() => controller.abort(reason));
    return answer;
  },
  'an abort in the middle of the response': aborts('/stuck?2', async (response, abort) => {
    const reader = response.body?.getReader();
    const first = await reader?.read();
    abort();
    return [first?.value?.byteLength, await reader?.read().catch((error: Error) => error.name)];
  }),
  'an abort while the response is read': aborts('/stuck?3', (response, abort) => {
    const text = response.text();
    abort();
    return text;
  }),
  'reading again after an abort': aborts('/stuck?4', async (response, abort) => {
    abort();
    await response.text().catch(() => undefined);
    return response.text();
  }),
  'reading a clone after an abort': aborts('/stuck?5', (response, abort) => {
    const clone = response.clone();
    abort();
    return clone.json();
  }),
  bytes: reads('/answer?body=text', async (response) => [...(await response.bytes())]),
  'an abort after the response has been read': aborts('/answer?body=text', async (response, abort) => {
    const text = await response.text();
    abort();
    return [text, response.status];
  }),
  'an abort before the response is read': aborts('/answer?body=text', (response, abort) => {
    abort();
    return response.text();
  }),
  'one signal for several requests': async (fetch, url) => {
    const controller = new AbortController();
    const answers = [1, 2, 3].map(() => fetch(url('/silent'), { signal: controller.signal }));
    setTimeout(() => controller.abort(reason));
    return (await Promise.allSettled(answers)).map(
      (settled) => settled.status === 'rejected' && settled.reason,
    );
  },
};
