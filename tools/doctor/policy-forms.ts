// Finds the policies for extensions in a file: in one that a browser reads, or in one with a policy alone.

import { policyEntries, policyTextKey } from '../../src/config/policy-schema.ts';
import { isObject, memberOf } from '../../src/config/value-schema.ts';
import { FileError, parseJson } from '../build/parse-json.ts';

/** A policy in a file. */
export interface FoundPolicy {
  /** The browsers that read it: `chromium` for Chrome, Edge and all others with that engine, `any` if the file names none. */
  readonly browser: 'chromium' | 'firefox' | 'any';
  /** The extension that it is for; null if the file does not say. */
  readonly extensionId: string | null;
  /** The policy that the browser would pass to the extension, if it has no mistake. */
  readonly policy: unknown;
}

/** The policies of a file, in its order: at least one. And the name of the file's form. */
export interface PolicyFile {
  readonly form: string;
  readonly found: readonly FoundPolicy[];
}

/** The forms, in the words of the messages. */
const expected =
  'expected the policy itself, which has the keys "version" and "providers", the JSON of Chromium ("3rdparty" with ' +
  '"extensions"), a policies.json of Firefox ("policies", "3rdparty", "Extensions"), or that of the Google Admin ' +
  'console. From a file of another form, write the policy into a file of its own';

/** Where browsers' policy files keep the policies for extensions. */
const browserFiles = [
  ['a policies.json of Firefox', 'firefox', ['policies', '3rdparty', 'Extensions']],
  ['the JSON of Chromium', 'chromium', ['3rdparty', 'extensions']],
] as const;

/**
 * Parses a file with policies. `fileName` is used in messages only. Policies for other extensions are among them, and other
 * settings of a browser are left out.
 *
 * Throws a {@link FileError} if the text has no form that is known, or no policy for an extension in it.
 */
export function parsePolicyFile(text: string, fileName: string): PolicyFile {
  if (/^\uFEFF?\s*(?:<|Windows Registry Editor|REGEDIT4)/.test(text))
    throw new FileError([`${fileName}: found no JSON; ${expected}`]);
  const { value } = parseJson(text, fileName);
  for (const [form, browser, path] of browserFiles) {
    if (!isObject(value) || !Object.hasOwn(value, path[0])) continue;
    const extensions = path.reduce<unknown>(memberOf, value);
    const entries = Object.entries(isObject(extensions) ? extensions : {});
    if (entries.length > 0)
      return { form, found: entries.map(([extensionId, policy]) => ({ browser, extensionId, policy })) };
    throw new FileError([
      `${fileName}: ${path.join('.')}: found ${extensions === undefined ? 'nothing' : 'no policy'}; expected an object ` +
        'with the policy of each extension under its id. The browser reads the key in exactly this spelling',
    ]);
  }
  const unwrapped = unwrap(value);
  if (unwrapped !== null) {
    const found = [{ browser: 'chromium' as const, extensionId: null, policy: unwrapped }];
    return { form: 'the JSON of the Google Admin console', found };
  }
  if (isPolicy(value)) {
    return { form: 'the policy itself', found: [{ browser: 'any', extensionId: null, policy: value }] };
  }
  throw new FileError([`${fileName}: found no policy for an extension; ${expected}`]);
}

/** Whether a value has a key of a policy of ours. */
export function isPolicy(value: unknown): boolean {
  const keys = [...Object.keys(policyEntries()), policyTextKey];
  return isObject(value) && keys.some((key) => Object.hasOwn(value, key));
}

/** The Google Admin console writes each value as `{ "Value": … }`. Returns null for another form. */
function unwrap(file: unknown): object | null {
  const members = Object.entries(isObject(file) ? file : {});
  const isWrapped = members.every(([, value]) => isObject(value) && Object.hasOwn(value, 'Value'));
  if (members.length === 0 || !isWrapped) return null;
  return Object.fromEntries(members.map(([key, value]) => [key, memberOf(value, 'Value')]));
}
