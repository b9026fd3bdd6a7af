// Finds the policies for extensions in a file, in each form that docs/administrators.md shows as JSON, and in that of the
// Windows registry.

import { policyEntries, policyTextKey } from '../../src/config/policy-schema.ts';
import { isObject } from '../../src/config/value-schema.ts';
import { FileError, parseJson } from '../build/parse-json.ts';

/** The browsers that read a policy: `chromium` for Chrome, Edge and all others with that engine, `any` if the file names none. */
type PolicyBrowser = 'chromium' | 'firefox' | 'any';

/** A policy in a file. */
export interface FoundPolicy {
  readonly browser: PolicyBrowser;
  /** The extension that it is for; null if the file does not say. */
  readonly extensionId: string | null;
  /** As the browser hands it to the extension, if it is right. */
  readonly policy: unknown;
}

/** The policies of a file, in its order, and the name of the file's form. */
export interface PolicyFile {
  readonly form: string;
  readonly found: readonly FoundPolicy[];
}

type Members = Readonly<Record<string, unknown>>;

/** The forms, in the words of the messages. */
const readForms =
  'the policy itself, the JSON of Chromium ("3rdparty" with "extensions"), a policies.json of Firefox ("policies", "3rdparty", ' +
  '"Extensions"), that of the Google Admin console, or a .reg file';

/**
 * Parses a file with policies. `fileName` is used in messages only. Policies for other extensions are among them, and other
 * settings of a browser are left out.
 *
 * Throws a {@link FileError} if the text has no form that is known, or no policy for an extension in it.
 */
export function parsePolicyFile(text: string, fileName: string): PolicyFile {
  const begin = text.replace(/^\uFEFF/, '').trimStart();
  if (/^(?:Windows Registry Editor|REGEDIT4)/.test(begin)) return fromRegistry(text, fileName);
  if (begin.startsWith('<')) {
    throw new FileError([
      `${fileName}: found XML; expected ${readForms}. On macOS \`plutil -convert json -o policy.json <file>\` makes JSON of it; ` +
        'of a form of Windows, write the policy into a file of its own',
    ]);
  }
  const { value } = parseJson(text, fileName);
  if (!isObject(value)) throw new FileError([`${fileName}: found no object; expected ${readForms}`]);
  return (
    fromBrowser(value, fileName) ?? fromProfile(value) ?? fromConsole(value) ?? fromItself(value, fileName)
  );
}

/** A key of the registry in which a browser looks for the policy of an extension. Windows compares the names without case. */
const registryKeys = [
  [
    'chromium',
    /^HKEY_(?:LOCAL_MACHINE|CURRENT_USER)\\SOFTWARE\\Policies\\(?:Google\\Chrome|Chromium|Microsoft\\Edge)\\3rdparty\\extensions\\([^\\]+)\\policy$/i,
  ],
  [
    'firefox',
    /^HKEY_(?:LOCAL_MACHINE|CURRENT_USER)\\SOFTWARE\\Policies\\Mozilla\\Firefox\\3rdparty\\Extensions\\([^\\]+)$/i,
  ],
] as const;

/** A file of the Windows registry. A key of another form, and a value with another name, are left out. */
function fromRegistry(text: string, fileName: string): PolicyFile {
  const policies = new Map<string, FoundPolicy & { readonly policy: Members }>();
  let key = '';
  for (const [index, line] of text.split(/\r\n|[\n\r]/).entries()) {
    const trimmed = line.trim();
    if (trimmed.startsWith('[') && trimmed.endsWith(']')) key = trimmed.slice(1, -1);
    const name = [policyTextKey, 'version'].find((one) => trimmed.startsWith(`"${one}"=`));
    if (name === undefined) continue;
    for (const [browser, pattern] of registryKeys) {
      const [, extensionId] = pattern.exec(key) ?? [];
      if (extensionId === undefined) continue;
      const written = trimmed.slice(trimmed.indexOf('=') + 1);
      const value =
        name === policyTextKey
          ? readRegistryText(written, `${fileName}:${index + 1}`)
          : readRegistryNumber(written);
      policies.set(key, { browser, extensionId, policy: { ...policies.get(key)?.policy, [name]: value } });
    }
  }
  if (policies.size > 0) return { form: 'a file of the Windows registry', found: [...policies.values()] };
  throw new FileError([
    `${fileName}: found no policy of an extension; expected a key that ends in \\3rdparty\\extensions\\<id>\\policy, or ` +
      '\\3rdparty\\Extensions\\<id> for Firefox, and in it "version"=dword:00000001 and "json"="…", each in one line',
  ]);
}

/** The number of a value; NaN if it is none. */
function readRegistryNumber(written: string): number {
  return Number.parseInt(/^dword:([\da-f]{8})$/i.exec(written)?.[1] ?? '', 16);
}

/** The text of a value. Throws a {@link FileError} for one that Windows would not read as a whole. */
function readRegistryText(written: string, place: string): string {
  const [, escaped] = /^"((?:[^"\\]|\\["\\])*)"$/.exec(written) ?? [];
  if (escaped !== undefined) return escaped.replace(/\\(["\\])/g, '$1');
  throw new FileError([
    `${place}: "${policyTextKey}": found a value that Windows does not read as one text; expected "…" in one line, and in it \\" for ` +
      'each quotation mark and \\\\ for each backslash',
  ]);
}

/** The files of Chromium and of Firefox. */
function fromBrowser(file: Members, fileName: string): PolicyFile | null {
  const isFirefox = Object.hasOwn(file, 'policies');
  const outer = isFirefox ? file['policies'] : file;
  if (!isFirefox && !Object.hasOwn(file, '3rdparty')) return null;
  const name = isFirefox ? 'Extensions' : 'extensions';
  const path = `${isFirefox ? 'policies.' : ''}3rdparty.${name}`;
  const thirdParty = isObject(outer) ? outer['3rdparty'] : undefined;
  const extensions = isObject(thirdParty) ? thirdParty[name] : undefined;
  if (!isObject(extensions) || Object.keys(extensions).length === 0) {
    throw new FileError([
      `${fileName}: ${path}: found ${extensions === undefined ? 'nothing' : 'no policy'}; expected an object with the policy of ` +
        `each extension under its id. The browser reads the key in exactly this spelling`,
    ]);
  }
  return {
    form: isFirefox ? 'a policies.json of Firefox' : 'the JSON of Chromium',
    found: toFound(isFirefox ? 'firefox' : 'chromium', extensions),
  };
}

function toFound(browser: PolicyBrowser, extensions: Members): readonly FoundPolicy[] {
  return Object.entries(extensions).map(([extensionId, policy]) => ({ browser, extensionId, policy }));
}

/** A configuration profile of macOS, as JSON. */
function fromProfile({ PayloadContent: payloads }: Members): PolicyFile | null {
  if (!Array.isArray(payloads)) return null;
  const found = payloads.filter(isObject).flatMap((payload): readonly FoundPolicy[] => {
    const { PayloadType: type = '' } = payload;
    const named = /^com\.(?:google\.Chrome|microsoft\.Edge)\.extensions\.(.+)$/;
    const [, extensionId] = (typeof type === 'string' && named.exec(type)) || [];
    if (extensionId !== undefined) {
      return [{ browser: 'chromium', extensionId, policy: withoutPayloadKeys(payload) }];
    }
    const thirdParty = payload['3rdparty'];
    const extensions = isObject(thirdParty) ? thirdParty['Extensions'] : undefined;
    return isObject(extensions) ? toFound('firefox', extensions) : [];
  });
  return { form: 'a configuration profile of macOS', found };
}

function withoutPayloadKeys(payload: Members): Members {
  return Object.fromEntries(Object.entries(payload).filter(([key]) => !key.startsWith('Payload')));
}

/** The Google Admin console writes each value as `{ "Value": … }`. */
function fromConsole(file: Members): PolicyFile | null {
  const members = Object.entries(file);
  const isWrapped = (value: unknown): value is Members => isObject(value) && Object.hasOwn(value, 'Value');
  if (members.length === 0 || !members.every(([, value]) => isWrapped(value))) return null;
  const policy = Object.fromEntries(members.map(([key, value]) => [key, (value as Members)['Value']]));
  return {
    form: 'the JSON of the Google Admin console',
    found: [{ browser: 'chromium', extensionId: null, policy }],
  };
}

function fromItself(file: Members, fileName: string): PolicyFile {
  if (!isPolicy(file)) {
    throw new FileError([
      `${fileName}: found no policy for an extension; expected ${readForms}. A policy has the keys "version" and "providers"`,
    ]);
  }
  return { form: 'the policy itself', found: [{ browser: 'any', extensionId: null, policy: file }] };
}

/** Whether a value has a key of a policy of ours. */
export function isPolicy(value: unknown): boolean {
  const keys = [...Object.keys(policyEntries()), policyTextKey];
  return isObject(value) && keys.some((key) => Object.hasOwn(value, key));
}
