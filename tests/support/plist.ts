// Parses a property list of macOS, with dictionaries, lists, texts, whole numbers, true and false.

const json: Readonly<Record<string, string>> = {
  '<dict>': '{',
  '</dict>': '},',
  '<array>': '[',
  '</array>': '],',
  '<true/>': 'true,',
  '<false/>': 'false,',
};

const token = /<(key|string|integer)>([^<]*)<\/\1>|<\/?(?:dict|array)>|<(?:true|false) ?\/>/g;

/** Parses the text of a property list. Throws an Error if it isn't one. */
export function parsePlist(text: string): unknown {
  const parts = [...text.matchAll(token)].map(([tag, name, content = '']) => {
    if (name === 'integer') return `${content},`;
    return name === undefined
      ? json[tag.replace(' ', '')]
      : JSON.stringify(unescapeXml(content)) + (name === 'key' ? ':' : ',');
  });
  return JSON.parse(parts.join('').replaceAll(/,(?=[\]}]|$)/g, ''));
}

/** The text in an element or attribute. */
export function unescapeXml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
