// An HTTP answer as an input of the fuzzer: `{ status, headers, json }` or with `text`, or a body alone.

interface Parts {
  readonly status?: unknown;
  readonly headers?: unknown;
  readonly json?: unknown;
  readonly text?: unknown;
}

/** The answer that an input describes. Anything else than a description is a body. Never throws. */
export function toResponse(input: string): Response {
  const { status, headers: named, json, text } = readParts(input);
  const headers = new Headers({ 'content-type': 'application/json' });
  for (const [name, value] of typeof named === 'object' ? Object.entries(named ?? {}) : []) {
    try {
      if (typeof value === 'string') headers.set(name, value);
    } catch {
      // No server could send it.
    }
  }
  const isStatus = typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 599;
  const body = typeof text === 'string' ? text : (JSON.stringify(json) ?? '');
  const isEmpty = [204, 205, 304].includes(Number(status));
  return new Response(isEmpty ? null : body, { status: isStatus ? status : 200, headers });
}

function readParts(input: string): Parts {
  try {
    const parsed: unknown = JSON.parse(input);
    const isDescribed =
      typeof parsed === 'object' && parsed !== null && ('json' in parsed || 'text' in parsed);
    return isDescribed ? parsed : { json: parsed };
  } catch {
    return { text: input };
  }
}
