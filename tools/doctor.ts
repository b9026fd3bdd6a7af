// `npm run doctor`: asks the configured providers, and says what will work, what will not, and what to register where.

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Config } from '../src/config/config.ts';
import { parseJson } from './build/parse-json.ts';
import { toConfigPath } from './build/read-config.ts';
import { readText } from './build/read-text.ts';
import { isCommand, refuseOptionsKeptByNpm, runCommand, UsageError, type OnStop } from './command.ts';
import { readDemonstrated, startDemo } from './demo.ts';
import { PortTakenError } from './demo-provider/loopback.ts';
import { examineProvider } from './doctor/examine.ts';
import { printReport } from './doctor/print.ts';
import { knownProviders } from './doctor/profiles.ts';
import { toReport, type Report } from './doctor/report.ts';
import { network, type WorldParts } from './doctor/world.ts';
import { readIdentity } from './product.ts';

const root = resolve(import.meta.dirname, '..');

export interface DoctorOptions {
  readonly format: 'text' | 'json';
  readonly mode: Report['mode'];
  /** The id that Edge Add-ons gave to the extension, or null. */
  readonly edgeId: string | null;
}

const known = 'Known are --json, --offline and --edge-id <id>';

/** Reads the options of the command line. Throws a {@link UsageError}. */
export function readDoctorOptions(
  args: readonly string[] = process.argv.slice(2),
  environment: Readonly<Record<string, string | undefined>> = process.env,
): DoctorOptions {
  if (args.length === 0) {
    refuseOptionsKeptByNpm(['json', 'offline', 'edge_id'], '--json --offline', environment);
  }
  const { json, offline, 'edge-id': edgeId = null } = parseOptions(args);
  if (edgeId !== null && !/^[a-p]{32}$/.test(edgeId)) {
    throw new UsageError(
      `--edge-id is ${JSON.stringify(edgeId)}; expected the 32 letters from a to p that Partner Center shows.`,
    );
  }
  return { format: json ? 'json' : 'text', mode: offline ? 'offline' : 'online', edgeId };
}

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        json: { type: 'boolean', default: false },
        offline: { type: 'boolean', default: false },
        'edge-id': { type: 'string' },
      },
    }).values;
  } catch {
    throw new UsageError(`Unknown option: ${args.join(' ')}. ${known}.`);
  }
}

/** What to examine, and how. */
export interface Consultation {
  readonly config: Config;
  readonly configPath: string;
  readonly edgeId: string | null;
  /** Null offline. */
  readonly network: WorldParts | null;
}

/** Examines every provider of a configuration, side by side. */
export async function examineConfig({
  config,
  configPath,
  edgeId,
  network: parts,
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
        network: parts,
      }),
    ),
  );
  return toReport(configPath, parts === null ? 'offline' : 'online', providers);
}

/** The profile that each provider of the file names; undefined for none. */
function readProfileNames(configPath: string): readonly (string | undefined)[] {
  const { value } = parseJson(readText(resolve(root, configPath), configPath), configPath);
  // The reader has validated the file.
  const { providers } = value as { readonly providers: readonly { readonly profile?: string }[] };
  return providers.map(({ profile }) => profile);
}

/**
 * Runs the command. It starts the demo provider if the configuration names that and nothing listens there. Calls `log`
 * with the report. Throws an Error if a sign-in cannot work.
 */
export async function runDoctor(
  { format, mode, edgeId }: DoctorOptions,
  onStop: OnStop,
  log: (text: string) => void,
): Promise<void> {
  const { config, demo } = readDemonstrated();
  if (mode === 'online' && demo !== null && readIdentity().key !== undefined) {
    await startDemo(demo, onStop).catch((error: unknown) => {
      // `npm start` runs it already. Another program in its place shows in the report.
      if (!(error instanceof Error && error.cause instanceof PortTakenError)) throw error;
    });
  }
  const report = await examineConfig({
    config,
    configPath: toConfigPath(),
    edgeId,
    network: mode === 'online' ? network : null,
  });
  log(format === 'json' ? JSON.stringify(report, null, 2) : printReport(report).join('\n'));
  if (report.outlook === 'cannot-work') {
    const broken = report.providers.filter(({ outlook }) =>
      Object.values(outlook).includes('cannot-work'),
    ).length;
    throw new Error(
      `${broken} of ${report.providers.length} providers ${broken === 1 ? 'needs' : 'need'} a correction.`,
    );
  }
}

if (isCommand(import.meta.url)) {
  await runCommand((onStop) => runDoctor(readDoctorOptions(), onStop, console.log));
}
