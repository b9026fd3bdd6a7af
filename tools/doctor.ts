// `npm run doctor`: asks the configured providers, and says what will work, what will not, and what to register where.

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { toConfigPath } from './build/read-config.ts';
import { readText } from './build/read-text.ts';
import { isCommand, refuseOptionsKeptByNpm, runCommand, UsageError, type OnStop } from './command.ts';
import { readDemonstrated, startDemo } from './demo.ts';
import { PortTakenError } from './demo-provider/loopback.ts';
import { startDemoProvider } from './demo-provider/provider.ts';
import { examineConfig } from './doctor/examine.ts';
import { answerQuestion, type Question } from './doctor/needs.ts';
import { examinePolicyText, isBroken } from './doctor/policy.ts';
import { printReport } from './doctor/print.ts';
import type { Report } from './doctor/report.ts';
import { toExtensionIds, toTargets, type ExtensionIds } from './doctor/targets.ts';
import { network } from './doctor/world.ts';
import { readIdentity } from './product.ts';
import { geckoIdForm } from './redirect-uris.ts';

export interface DoctorOptions {
  readonly format: 'text' | 'json';
  readonly mode: Report['mode'];
  /** Without one for Chrome and for Firefox, the extension is the one that manifest.json describes. */
  readonly ids: ExtensionIds;
  /** The file of an administrator's policy to examine, or null. */
  readonly policyPath: string | null;
  /** What to answer from the profiles, without a configuration; null to examine the configuration. */
  readonly question: Question | null;
}

const root = resolve(import.meta.dirname, '..');

const [flag, text] = [{ type: 'boolean', default: false } as const, { type: 'string' } as const];
const ids = { 'chrome-id': text, 'edge-id': text, 'firefox-id': text };
const known = { json: flag, offline: flag, policy: text, ...ids, list: flag, provider: text, issuer: text };

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
    const kept = Object.keys(known).map((name) => name.replaceAll('-', '_'));
    refuseOptionsKeptByNpm(kept, '--json --offline', environment);
  }
  const { json, offline, policy: policyPath = null, list, provider, issuer = null, ...given } = parse(args);
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
  if (provider === undefined ? issuer !== null : list) {
    throw new UsageError('Write --list, or --provider <profile> with --issuer <url>.');
  }
  const { 'chrome-id': chromeId = null, 'edge-id': edgeId = null, 'firefox-id': firefoxId = null } = given;
  const needs = provider === undefined ? null : ({ kind: 'needs', name: provider, issuer } as const);
  return {
    format: json ? 'json' : 'text',
    mode: offline ? 'offline' : 'online',
    ids: { chromeId, edgeId, firefoxId },
    policyPath,
    question: list ? { kind: 'list' } : needs,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: known }).values;
  } catch {
    throw new UsageError(
      `Unknown option: ${args.join(' ')}. Known are --json, --offline, --policy <file>, --chrome-id <id>, --edge-id <id>, --firefox-id <id>, --list, and --provider <profile> with --issuer <url>.`,
    );
  }
}

/**
 * Runs the command. It starts the demo provider if the configuration names that and nothing listens there. Calls `log`
 * with the report. Throws an Error if a sign-in cannot work, or the extension would not use the policy.
 */
export async function runDoctor(
  { format, mode, ids: given, policyPath, question }: DoctorOptions,
  onStop: OnStop,
  log: (text: string) => void,
  start: typeof startDemoProvider = startDemoProvider,
): Promise<void> {
  const isOther = given.chromeId !== null || given.firefoxId !== null;
  const own = isOther ? given : { ...toExtensionIds(readIdentity()), edgeId: given.edgeId };
  if (question !== null) return log(answerQuestion(question, own).join('\n'));
  const { config, demo } = readDemonstrated();
  const policy =
    policyPath === null
      ? null
      : examinePolicyText(readText(resolve(root, policyPath), policyPath), policyPath, config, own);
  if (mode === 'online' && demo !== null && own.lacksKey === undefined) {
    const redirectUris = toTargets(own, demo).map(({ redirectUri }) => redirectUri);
    await startDemo(demo, onStop, (options) => start({ ...options, redirectUris })).catch(
      (error: unknown) => {
        // `npm start` runs it already. Another program in its place shows in the report.
        if (!(error instanceof Error && error.cause instanceof PortTakenError)) throw error;
      },
    );
  }
  const configPath = toConfigPath();
  const asked = mode === 'online' ? network : null;
  const report = await examineConfig({ config, configPath, policy, ids: own, network: asked });
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
