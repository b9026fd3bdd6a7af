// Examines every provider of a configuration.

import { resolve } from 'node:path';
import type { Config, Provider } from '../../src/config/provider.ts';
import { parseJson } from '../build/parse-json.ts';
import { readText } from '../build/read-text.ts';
import { readIdentity } from '../product.ts';
import type { PolicyExamination } from './examine-policy.ts';
import { examineProvider } from './examine.ts';
import type { KnownProviders } from './known-provider.ts';
import { loadKnownProviders } from './profiles.ts';
import { toReport, type Report } from './report.ts';
import type { ExtensionIds } from './targets.ts';
import type { WorldParts } from './world.ts';

const root = resolve(import.meta.dirname, '../..');

/** A configuration to examine, and how. */
export interface Consultation {
  readonly config: Config;
  readonly configPath: string;
  /** An administrator's policy, whose providers are examined in place of the configuration's. */
  readonly policy?: PolicyExamination;
  /** The ids of an extension that another project builds; null for those of manifest.json. */
  readonly ids?: ExtensionIds | null;
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
  policy,
  ids = null,
  edgeId,
  network,
  knownProviders = loadKnownProviders(),
}: Consultation): Promise<Report> {
  const identity = ids ?? readIdentity();
  const profileNames = readProfileNames(configPath);
  const findProfile = ({ id, issuer }: Provider) => {
    // A policy may name another provider in its place.
    const index = config.providers.findIndex((built) => built.id === id && built.issuer === issuer);
    return profileNames[index] ?? null;
  };
  const providers = await Promise.all(
    (policy?.inForce ?? config.providers).map((provider) =>
      examineProvider({
        provider,
        profileName: findProfile(provider),
        identity,
        edgeId,
        knownProviders,
        network,
      }),
    ),
  );
  return toReport(configPath, network === null ? 'offline' : 'online', providers, policy?.report);
}

/** The profile that each provider of the file names; undefined for none. */
function readProfileNames(configPath: string): readonly (string | undefined)[] {
  const { value } = parseJson(readText(resolve(root, configPath), configPath), configPath);
  // The reader has validated the file.
  const { providers } = value as { readonly providers: readonly { readonly profile?: string }[] };
  return providers.map(({ profile }) => profile);
}
