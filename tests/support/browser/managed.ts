// A browser with an administrator's policy for an extension of its own id, so that no other browser on this computer is
// affected.

import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inject, onTestFinished, type TestContext } from 'vitest';
import { redirectUris, type ExtensionIdentity } from '../../../tools/redirect-uris.ts';
import { skipIfLacking } from '../machine.ts';
import { findPolicyFolder, onlyLinux } from './private-policies.ts';
import { openWorkerFolder } from './run-folder.ts';
import { createSigningKey, toExtensionId } from './signing-key.ts';

export interface ManagedExtension {
  /** The copy of the build. */
  readonly extensionDir: string;
  readonly redirectUri: string;
  /** Writes the policy, in place of the one before; null removes it. Of an `unreadable` one the file is cut short. */
  setPolicy(policy: object | 'unreadable' | null): Promise<void>;
}

const policyFolder = findPolicyFolder('chrome', inject('executablePath'));

/** Skips the test where it cannot write policies. In Firefox each person may, in Chromium only who may write to its folder. */
export function expectPolicies(context: Pick<TestContext, 'skip'>): void {
  context.skip(process.platform !== 'linux', onlyLinux);
  const isWritable = inject('browserName') === 'firefox' || canCreate(policyFolder);
  skipIfLacking(context, isWritable ? null : `It may not write policies to ${policyFolder}: run it as root.`);
}

function canCreate(folder: string): boolean {
  if (!existsSync(folder)) return canCreate(dirname(folder));
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** A copy of the build in `built`, under an id of its own. What it writes is removed after the test. */
export async function copyUnderOwnId(built: string, providerId: string): Promise<ManagedExtension> {
  const folder = await mkdtemp(join(openWorkerFolder(), 'managed-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const extensionDir = join(folder, 'extension');
  await cp(built, extensionDir, { recursive: true });
  const path = join(extensionDir, 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8')) as ExtensionIdentity;
  return inject('browserName') === 'chrome'
    ? forChromium(extensionDir, path, manifest, providerId)
    : forFirefox(folder, extensionDir, path, manifest, providerId);
}

async function forChromium(
  extensionDir: string,
  path: string,
  manifest: ExtensionIdentity,
  providerId: string,
): Promise<ManagedExtension> {
  const { key } = createSigningKey();
  await writeFile(path, JSON.stringify({ ...manifest, key }));
  const redirectUri = redirectUris(
    { browser_specific_settings: { gecko: { id: '' } }, key },
    providerId,
  ).chrome;
  const extensionId = toExtensionId(key);
  // A name that no other policy has.
  const file = join(policyFolder, `latchkey-test-${randomUUID()}.json`);
  const missing = findMissing(policyFolder);
  await mkdir(policyFolder, { recursive: true });
  onTestFinished(async () => {
    await rm(file, { force: true });
    // Another test may use the folders by now.
    for (const folder of missing) await rmdir(folder).catch(() => undefined);
  });
  return {
    extensionDir,
    redirectUri,
    async setPolicy(policy) {
      if (policy === null) await rm(file, { force: true });
      else await writeFile(file, toText(policy, { '3rdparty': { extensions: { [extensionId]: policy } } }));
    },
  };
}

/** The text of a file with the policy. */
function toText(policy: object | 'unreadable', file: object): string {
  return policy === 'unreadable' ? JSON.stringify(file).slice(0, -2) : JSON.stringify(file);
}

/** The folders on the way to this one that do not exist, the innermost first. */
function findMissing(folder: string): readonly string[] {
  return existsSync(folder) ? [] : [folder, ...findMissing(dirname(folder))];
}

/**
 * Firefox reads the policies of an extension from `policies.json`, or from a managed storage manifest, which can be in the
 * home folder: the extension gets the same.
 */
async function forFirefox(
  home: string,
  extensionDir: string,
  path: string,
  manifest: ExtensionIdentity,
  providerId: string,
): Promise<ManagedExtension> {
  const id = `managed-${randomUUID()}@latchkey.example`;
  const { gecko } = manifest.browser_specific_settings;
  const identity = { browser_specific_settings: { gecko: { ...gecko, id } } };
  await writeFile(path, JSON.stringify({ ...manifest, ...identity }));
  const before = process.env['HOME'];
  process.env['HOME'] = home;
  onTestFinished(() => {
    if (before === undefined) delete process.env['HOME'];
    else process.env['HOME'] = before;
  });
  const folder = join(home, '.mozilla/managed-storage');
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${id}.json`);
  return {
    extensionDir,
    redirectUri: redirectUris({ ...identity, key: '' }, providerId).firefox,
    async setPolicy(policy) {
      if (policy === null) await rm(file, { force: true });
      else
        await writeFile(file, toText(policy, { name: id, description: '', type: 'storage', data: policy }));
    },
  };
}
