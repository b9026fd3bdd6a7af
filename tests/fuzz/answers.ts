// An HTTP answer as an input of the fuzzer: `{ status, headers, json }` or with `text`, or a body alone.

interface Parts {
  readonly status?: unknown;
  readonly headers?: unknown;
  readonly json?: unknown;
  readonly text?: unknown;
}

type Named = Readonly<Record<string, string>>;

/** An input for an answer in JSON. */
export const json = (body: unknown, status = 200, headers: Named = {}) =>
  JSON.stringify({ status, headers, json: body });

/** An input for an answer with any other text. */
export const raw = (text: string, status: number, headers: Named) =>
  JSON.stringify({ status, headers, text });

/** The answer that an input describes. Anything else than a description is a body. Never throws. */
export function toResponse(input: string): Response {
  const { status, headers: named, ...content } = readParts(input);
  const headers = new Headers({ 'content-type': 'application/json' });
  for (const [name, value] of typeof named === 'object' ? Object.entries(named ?? {}) : []) {
    try {
      if (typeof value === 'string') headers.set(name, value);
    } catch {
      // No server could send it.
    }
  }
  const isStatus = typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 599;
  const body = typeof content.text === 'string' ? content.text : (JSON.stringify(content.json) ?? '');
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
