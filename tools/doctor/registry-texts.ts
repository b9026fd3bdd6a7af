// Reads the policies of extensions from a .reg file of Windows: the texts that are named "json".

import { policyTextKey } from '../../src/config/policy-schema.ts';
import { FileError } from '../build/parse-json.ts';

/** The text of one policy. */
interface RegistryText {
  readonly browser: 'chromium' | 'firefox';
  readonly extensionId: string;
  readonly text: string;
}

/** A key of the registry in which a browser looks for the policy of an extension. Windows compares the names without case. */
const chromiumKey =
  /^HKEY_(?:LOCAL_MACHINE|CURRENT_USER)\\SOFTWARE\\Policies\\(?:Google\\Chrome|Chromium|Microsoft\\Edge)\\3rdparty\\extensions\\([^\\]+)\\policy$/i;
const firefoxKey =
  /^HKEY_(?:LOCAL_MACHINE|CURRENT_USER)\\SOFTWARE\\Policies\\Mozilla\\Firefox\\3rdparty\\Extensions\\([^\\]+)$/i;

/**
 * The policies in the file, in its order. A key of another form, and a value with another name, are left out. `fileName` is
 * used in messages only. Throws a {@link FileError} for a text that Windows would not read as a whole.
 */
export function readRegistryTexts(file: string, fileName: string): readonly RegistryText[] {
  const texts: RegistryText[] = [];
  let key = '';
  for (const [index, line] of file.split(/\r\n|[\n\r]/).entries()) {
    const trimmed = line.trim();
    if (trimmed.startsWith('[') && trimmed.endsWith(']')) key = trimmed.slice(1, -1);
    const place = trimmed.startsWith(begin) ? toPlace(key) : null;
    if (place !== null) texts.push({ ...place, text: readText(trimmed, `${fileName}:${index + 1}`) });
  }
  return texts;
}

function toPlace(key: string): Omit<RegistryText, 'text'> | null {
  const inChromium = chromiumKey.exec(key)?.[1];
  if (inChromium !== undefined) return { browser: 'chromium', extensionId: inChromium };
  const inFirefox = firefoxKey.exec(key)?.[1];
  return inFirefox === undefined ? null : { browser: 'firefox', extensionId: inFirefox };
}

/** The begin of a line with a value of that name. */
const begin = `"${policyTextKey}"=`;

function readText(line: string, place: string): string {
  const [, escaped] = /^"((?:[^"\\]|\\["\\])*)"$/.exec(line.slice(begin.length)) ?? [];
  if (escaped !== undefined) return escaped.replace(/\\(["\\])/g, '$1');
  throw new FileError([
    `${place}: "${policyTextKey}": found a value that Windows does not read as one text; expected "…" in one line, and in it \\" for ` +
      'each quotation mark and \\\\ for each backslash',
  ]);
}
