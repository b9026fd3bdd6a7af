// `npm run doctor`: asks the configured providers, and says what will work, what will not, and what to register where.

import { parseArgs } from 'node:util';
import { toConfigPath } from './build/read-config.ts';
import { isCommand, refuseOptionsKeptByNpm, runCommand, UsageError, type OnStop } from './command.ts';
import { readDemonstrated, startDemo } from './demo.ts';
import { PortTakenError } from './demo-provider/loopback.ts';
import { startDemoProvider } from './demo-provider/provider.ts';
import { examineConfig } from './doctor/examine.ts';
import { answerQuestion, type Question } from './doctor/needs.ts';
import { examinePolicy, isBroken } from './doctor/policy.ts';
import { printReport } from './doctor/print.ts';
import type { Report } from './doctor/report.ts';
import { toExtensionIds, toTargets, type ExtensionIds } from './doctor/targets.ts';
import { network } from './doctor/world.ts';
import { readIdentity } from './product.ts';
import { geckoIdForm } from './redirect-uris.ts';

export interface DoctorOptions {
  readonly format: 'text' | 'json';
  readonly mode: Report['mode'];
  /** The id that Edge Add-ons gave to the extension, or null. */
  readonly edgeId: string | null;
  /** The ids of an extension that manifest.json does not describe; null for its own. */
  readonly ids: ExtensionIds | null;
  /** The file of an administrator's policy to examine, or null. */
  readonly policyPath: string | null;
  /** What to answer from the profiles, without a configuration; null to examine the configuration. */
  readonly question: Question | null;
}

const known =
  'Known are --json, --offline, --policy <file>, --chrome-id <id>, --edge-id <id>, --firefox-id <id>, --list, and --provider <profile> with --issuer <url>';

const chromiumIdForm = /^[a-p]{32}$/;

/** The form of each id, and what was expected in its place. */
const idForms = [
  ['chrome-id', chromiumIdForm, 'the 32 letters from a to p that chrome://extensions shows'],
  ['edge-id', chromiumIdForm, 'the 32 letters from a to p that Partner Center shows'],
  [
    'firefox-id',
    geckoIdForm,
    '"browser_specific_settings.gecko.id" of the manifest, such as "notes@acme.example"',
  ],
] as const;

/** Reads the options of the command line. Throws a {@link UsageError}. */
export function readDoctorOptions(
  args: readonly string[] = process.argv.slice(2),
  environment: Readonly<Record<string, string | undefined>> = process.env,
): DoctorOptions {
  if (args.length === 0) {
    const options = [
      'json',
      'offline',
      'policy',
      'chrome_id',
      'edge_id',
      'firefox_id',
      'list',
      'provider',
      'issuer',
    ];
    refuseOptionsKeptByNpm(options, '--json --offline', environment);
  }
  const { json, offline, policy: policyPath = null, list, provider, issuer, ...given } = parseOptions(args);
  for (const [name, form, expected] of idForms) {
    const id = given[name];
    if (id === undefined || (form.test(id) && id.length <= 80)) continue;
    throw new UsageError(`--${name} is ${JSON.stringify(id)}; expected ${expected}.`);
  }
  if (policyPath === '') throw new UsageError('--policy is ""; expected the path of a policy.');
  if ((list || provider !== undefined) && (json || offline || policyPath !== null)) {
    throw new UsageError(
      '--list and --provider answer without a configuration, so --json, --offline and --policy do not fit.',
    );
  }
  if (provider === undefined ? issuer !== undefined : list) {
    throw new UsageError('Write --list, or --provider <profile> with --issuer <url>.');
  }
  const { 'chrome-id': chromeId = null, 'edge-id': edgeId = null, 'firefox-id': firefoxId = null } = given;
  return {
    format: json ? 'json' : 'text',
    mode: offline ? 'offline' : 'online',
    edgeId,
    ids: chromeId === null && firefoxId === null ? null : { chromeId, firefoxId },
    policyPath,
    question: list
      ? { kind: 'list' }
      : provider === undefined
        ? null
        : { kind: 'needs', name: provider, issuer: issuer ?? null },
  };
}

function parseOptions(args: readonly string[]) {
  const [flag, text] = [{ type: 'boolean', default: false } as const, { type: 'string' } as const];
  const texts = { policy: text, 'chrome-id': text, 'edge-id': text, 'firefox-id': text };
  const asked = { list: flag, provider: text, issuer: text };
  try {
    return parseArgs({ args: [...args], options: { json: flag, offline: flag, ...texts, ...asked } }).values;
  } catch {
    throw new UsageError(`Unknown option: ${args.join(' ')}. ${known}.`);
  }
}

/**
 * Runs the command. It starts the demo provider if the configuration names that and nothing listens there. Calls `log`
 * with the report. Throws an Error if a sign-in cannot work, or the extension would not use the policy.
 */
export async function runDoctor(
  { format, mode, edgeId, ids, policyPath, question }: DoctorOptions,
  onStop: OnStop,
  log: (text: string) => void,
  start: typeof startDemoProvider = startDemoProvider,
): Promise<void> {
  const knownIds = { ...(ids ?? toExtensionIds(readIdentity())), edgeId };
  if (question !== null) return log(answerQuestion(question, knownIds).join('\n'));
  const { config, demo } = readDemonstrated();
  const policy = policyPath === null ? null : examinePolicy(policyPath, config, knownIds);
  if (mode === 'online' && demo !== null && (ids !== null || knownIds.chromeId !== null)) {
    const redirectUris = toTargets(knownIds, demo, edgeId).map(({ redirectUri }) => redirectUri);
    await startDemo(demo, onStop, (options) => start({ ...options, redirectUris })).catch(
      (error: unknown) => {
        // `npm start` runs it already. Another program in its place shows in the report.
        if (!(error instanceof Error && error.cause instanceof PortTakenError)) throw error;
      },
    );
  }
  const report = await examineConfig({
    config,
    configPath: toConfigPath(),
    ...(policy !== null && { policy }),
    ids,
    edgeId,
    network: mode === 'online' ? network : null,
  });
  log(format === 'json' ? JSON.stringify(report, null, 2) : printReport(report).join('\n'));
  if (report.outlook === 'cannot-work') throw new Error(describeFailure(report));
}

/** The line with which the command fails. */
function describeFailure({ providers, policy }: Report): string {
  if (policy?.policies.some(isBroken)) return `${policy.file}: the policy needs a correction.`;
  const broken = providers.filter(({ outlook }) => Object.values(outlook).includes('cannot-work')).length;
  return `${broken} of ${providers.length} providers ${broken === 1 ? 'needs' : 'need'} a correction.`;
}

if (isCommand(import.meta.url)) {
  await runCommand((onStop) => runDoctor(readDoctorOptions(), onStop, console.log));
}
