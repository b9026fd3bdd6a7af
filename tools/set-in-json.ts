// Changes a value in the text of a JSON file, which keeps its formatting.

import { applyEdits, modify, type JSONPath } from 'jsonc-parser';
import { parseJson } from './build/parse-json.ts';

/** Sets a value, and adds it where it is missing. Throws a `FileError` if the text is not JSON. */
export function setInJson(file: string, text: string, path: JSONPath, value: unknown): string {
  parseJson(text, file);
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: text.includes('\r\n') ? '\r\n' : '\n' };
  return applyEdits(text, modify(text, path, value, { formattingOptions }));
}
