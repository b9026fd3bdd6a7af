// Finds where a text stops being JSON. JSON.parse knows it too, but every engine tells it in its own words, some
// without the place, and some quote the text around it.

const blank = /[ \t\r\n]*/y;
const string = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;

/** What may come next, in the words of the message. */
type Next =
  | 'a value'
  | 'a value after the comma'
  | 'a value or "]"'
  | 'a key in double quotes, or "}"'
  | 'a key in double quotes after the comma'
  | '":"'
  | '"," or "}"'
  | '"," or "]"'
  | 'nothing more';

interface JsonFault {
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
  readonly expected: string;
}

/** The first place at which `text` is not JSON (RFC 8259). Null when all of it is. */
export function findJsonFault(text: string): JsonFault | null {
  const open: ('{' | '[')[] = [];
  let next: Next = 'a value';
  let at = 0;

  const take = (token: RegExp): boolean => {
    token.lastIndex = at;
    const found = token.exec(text);
    if (found === null) return false;
    at += found[0].length;
    return true;
  };
  const afterValue = (): Next => {
    const inside = open.at(-1);
    return inside === '{' ? '"," or "}"' : inside === '[' ? '"," or "]"' : 'nothing more';
  };

  for (;;) {
    take(blank);
    const sign = text[at];
    if (sign === undefined && next === 'nothing more') return null;

    const wantsKey = next.startsWith('a key');
    const wantsValue = next.startsWith('a value');
    if (sign === '"' && (wantsKey || wantsValue)) {
      if (!take(string)) return faultAt(text, at, 'a text that ends on its line, with valid escapes');
      next = wantsKey ? '":"' : afterValue();
    } else if (wantsValue && take(scalar)) {
      next = afterValue();
    } else if (wantsValue && (sign === '{' || sign === '[')) {
      open.push(sign);
      at += 1;
      next = sign === '{' ? 'a key in double quotes, or "}"' : 'a value or "]"';
    } else if ((sign === '}' || sign === ']') && next.endsWith(`"${sign}"`)) {
      open.pop();
      at += 1;
      next = afterValue();
    } else if (sign === ',' && next.startsWith('","')) {
      at += 1;
      next = open.at(-1) === '{' ? 'a key in double quotes after the comma' : 'a value after the comma';
    } else if (sign === ':' && next === '":"') {
      at += 1;
      next = 'a value';
    } else {
      return faultAt(text, at, sign === '/' ? `${next} (JSON has no comments)` : next);
    }
  }
}

function faultAt(text: string, at: number, expected: string): JsonFault {
  const lines = text.slice(0, at).split(/\r\n|\n|\r/);
  return { line: lines.length, column: String(lines.at(-1)).length + 1, expected };
}
