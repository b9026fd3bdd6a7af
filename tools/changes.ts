// Changes files of the project: everything is prepared before the first is written.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applyEdits, modify, parse, type JSONPath, type ParseError } from 'jsonc-parser';
import { toMessage } from './command.ts';

export interface Change {
  /** Relative to the project, with `/`. */
  readonly file: string;
  readonly content: string | Uint8Array;
}

/**
 * Writes the files, and returns their names. Throws an Error that says which are written and which are not, if one cannot
 * be.
 */
export async function writeChanges(root: string, changes: readonly Change[]): Promise<readonly string[]> {
  const files = changes.map(({ file }) => file);
  for (const [index, { file, content }] of changes.entries()) {
    try {
      await writeFile(join(root, file), content);
    } catch (error) {
      const list = (names: readonly string[]) => (names.length === 0 ? 'none' : names.join(', '));
      throw new Error(
        `Could not write ${file}: ${toMessage(error)}
Changed already: ${list(files.slice(0, index))}.
Not changed: ${list(files.slice(index))}.
Remove the cause and run the command again, or take the changes back with \`git restore\`.`,
        { cause: error },
      );
    }
  }
  return files;
}

/**
 * Sets a value in the text of a JSON file, and adds it where it is missing. Formatting is kept. Throws an Error if the text is
 * not JSON.
 */
export function setInJson(file: string, text: string, path: JSONPath, value: unknown): string {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true });
  if (errors.length > 0) throw new Error(`${file}: not JSON. Nothing has been changed.`);
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: text.includes('\r\n') ? '\r\n' : '\n' };
  return applyEdits(text, modify(text, path, value, { formattingOptions }));
}
