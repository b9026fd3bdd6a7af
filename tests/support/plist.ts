// Reads a property list of macOS: dictionaries, lists, texts, whole numbers, true and false.

const token =
  /<key>([^<]*)<\/key>|<string>([^<]*)<\/string>|<integer>(-?\d+)<\/integer>|<(\/?)(dict|array|true|false)\s*(\/?)>/g;

/** Parses the text of a property list. Throws an Error if it isn't one. */
export function parsePlist(text: string): unknown {
  const tokens = [...text.matchAll(token)];
  let next = 0;

  const read = (): unknown => {
    const [found, key, string, integer, , name] = tokens[next++] ?? [];
    if (key !== undefined || found === undefined) throw new Error(`expected a value, found ${found}`);
    if (string !== undefined) return unescape(string);
    if (integer !== undefined) return Number(integer);
    if (name === 'dict') return readDict();
    return name === 'array' ? readArray() : name === 'true';
  };
  const isEnd = (name: string) => tokens[next]?.[4] === '/' && tokens[next]?.[5] === name;
  const readDict = () => {
    const members: Record<string, unknown> = {};
    while (!isEnd('dict')) {
      const key = tokens[next++]?.[1];
      if (key === undefined) throw new Error('expected a key');
      members[key] = read();
    }
    next += 1;
    return members;
  };
  const readArray = () => {
    const items: unknown[] = [];
    while (!isEnd('array')) items.push(read());
    next += 1;
    return items;
  };
  return read();
}

function unescape(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
