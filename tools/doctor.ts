// `npm run doctor`: asks the configured providers, and says what will work, what will not, and what to register where.

import { parseArgs } from 'node:util';
import { toConfigPath } from './build/read-config.ts';
import { isCommand, refuseOptionsKeptByNpm, runCommand, UsageError, type OnStop } from './command.ts';
import { readDemonstrated, startDemo } from './demo.ts';
import { PortTakenError } from './demo-provider/loopback.ts';
import { examineConfig } from './doctor/examine-config.ts';
import { printReport } from './doctor/print.ts';
import type { Report } from './doctor/report.ts';
import { network } from './doctor/world.ts';
import { readIdentity } from './product.ts';

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
