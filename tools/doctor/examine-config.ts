// Examines every provider of a configuration.

import { resolve } from 'node:path';
import type { Config } from '../../src/config/provider.ts';
import { parseJson } from '../build/parse-json.ts';
import { readText } from '../build/read-text.ts';
import { readIdentity } from '../product.ts';
import { examineProvider } from './examine.ts';
import type { KnownProviders } from './known-provider.ts';
import { loadKnownProviders } from './profiles.ts';
import { toReport, type Report } from './report.ts';
import type { WorldParts } from './world.ts';

const root = resolve(import.meta.dirname, '../..');

/** A configuration to examine, and how. */
export interface Consultation {
  readonly config: Config;
  readonly configPath: string;
  /** The id that Edge Add-ons gave to the extension; null if unknown. */
  readonly edgeId: string | null;
  /** Null offline. */
  readonly network: WorldParts | null;
  readonly knownProviders?: KnownProviders;
}

/** Examines the providers side by side. Throws a `FileError` if manifest.json is invalid. */
export async function examineConfig({
  config,
  configPath,
  edgeId,
  network,
  knownProviders = loadKnownProviders(),
}: Consultation): Promise<Report> {
  const identity = readIdentity();
  const profileNames = readProfileNames(configPath);
  const providers = await Promise.all(
    config.providers.map((provider, index) =>
      examineProvider({
        provider,
        profileName: profileNames[index] ?? null,
        identity,
        edgeId,
        knownProviders,
        network,
      }),
    ),
  );
  return toReport(configPath, network === null ? 'offline' : 'online', providers);
}

/** The profile that each provider of the file names; undefined for none. */
function readProfileNames(configPath: string): readonly (string | undefined)[] {
  const { value } = parseJson(readText(resolve(root, configPath), configPath), configPath);
  // The reader has validated the file.
  const { providers } = value as { readonly providers: readonly { readonly profile?: string }[] };
  return providers.map(({ profile }) => profile);
}
