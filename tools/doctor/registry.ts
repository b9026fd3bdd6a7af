// Reads the policies for extensions in a file of the Windows registry, in the form of docs/administrators/windows.reg.

import { FileError } from '../build/read-text.ts';

interface RegistryPolicy {
  readonly browser: 'chromium' | 'firefox';
  readonly extensionId: string;
  /** Its "version" and "json", or why it can't be read. */
  readonly policy: Readonly<Record<string, string | number>> | FileError;
}

/**
 * A key of the registry in which a browser looks for the policy of an extension, and the keys below. Windows compares the names
 * without case.
 */
const registryKey =
  /^\[HKEY_(?:LOCAL_MACHINE|CURRENT_USER)\\SOFTWARE\\Policies\\(?:(?:Google\\Chrome|Chromium|Microsoft\\Edge)\\3rdparty\\extensions\\([^\\]+)\\policy|Mozilla\\Firefox\\3rdparty\\Extensions\\([^\\]+))(\\.*)?\]$/i;

/** The policies of all extensions, in the order of the file. Other keys, and values without a name, are left out. */
export function readRegistry(text: string, fileName: string): readonly RegistryPolicy[] {
  const found = new Map<string, RegistryPolicy>();
  let here: string | null = null;
  for (const [index, line] of text.split(/\r\n|[\n\r]/).entries()) {
    const trimmed = line.trim();
    if (trimmed.startsWith('[')) here = null;
    const [, chromium, firefox, below = ''] = registryKey.exec(trimmed) ?? [];
    const extensionId = chromium ?? firefox;
    if (extensionId !== undefined) {
      here = trimmed
        .slice(0, trimmed.length - below.length)
        .toLowerCase()
        .replace(/\]$/, '');
      const browser = chromium === undefined ? 'firefox' : 'chromium';
      if (!found.has(here)) found.set(here, { browser, extensionId, policy: {} });
    }
    const one = here === null ? undefined : found.get(here);
    const [, name = '', written = ''] = /^"((?:[^"\\]|\\.)+)"=(.*)$/.exec(trimmed) ?? [];
    if (here === null || one === undefined || one.policy instanceof FileError) continue;
    if (below === '' && (name === '' || written === '-')) continue;
    const value = below === '' ? readValue(name, written) : null;
    const policy =
      value === null
        ? new FileError([`${fileName}:${index + 1}: ${name === '' ? '' : `"${name}": `}${unreadable}`])
        : { ...one.policy, [name]: value };
    found.set(here, { ...one, policy });
  }
  return [...found.values()];
}

/** Null for a value of any other kind than the sample's: each browser reads those in its own way. */
function readValue(name: string, written: string): string | number | null {
  const [, number] = /^dword:([\da-f]{1,8})$/i.exec(written) ?? [];
  if (name === 'version' && number !== undefined) return Number.parseInt(number, 16);
  const [, quoted] = /^"((?:[^"\\]|\\["\\])*)"$/.exec(written) ?? [];
  return name === 'json' && quoted !== undefined ? quoted.replaceAll(/\\(["\\])/g, '$1') : null;
}

const unreadable =
  'the doctor reads "version"=dword:00000001 and "json"="…" alone, each in one line; in the text, write \\" for each quotation ' +
  'mark and \\\\ for each backslash';
