// `npm run doctor`: asks the configured providers, and reports what works, what doesn't, and what to register where.

import { toConfigPath } from './build/read-config.ts';
import { readWindowsText } from './build/read-text.ts';
import { readOptions, runIfStarted, UsageError, type OnStop } from './command.ts';
import { readDemonstrated, startDemo } from './demo.ts';
import { PortTakenError } from './demo-provider/loopback.ts';
import { startDemoProvider } from './demo-provider/provider.ts';
import { examineConfig } from './doctor/examine.ts';
import { examinePolicyText, isBroken } from './doctor/policy.ts';
import { printReport } from './doctor/print.ts';
import type { Report } from './doctor/report.ts';
import { geckoIdForm, toExtensionIds, toTargets } from './redirect-uris.ts';
import { network } from './doctor/world.ts';
import { readManifest } from './build/read-manifest.ts';

const [flag, text] = [{ type: 'boolean', default: false } as const, { type: 'string' } as const];
const known = {
  json: { ...flag, description: 'Prints the report as JSON.' },
  offline: { ...flag, description: 'Asks no provider, and says what the configuration alone shows.' },
  policy: { ...text, description: 'Examines this policy too: the path of a file for one of the browsers.' },
  'chrome-id': {
    ...text,
    description: 'The id of the extension in Chrome, in place of that of manifest.json.',
  },
  'edge-id': { ...text, description: 'The id that Edge Add-ons gave to the extension.' },
  'firefox-id': {
    ...text,
    description: 'The id of the extension in Firefox, in place of that of manifest.json.',
  },
} as const;

const chromiumIdForm = /^[a-p]{32}$/;

const idForms = [
  ['chrome-id', chromiumIdForm, 'the 32 letters from a to p that chrome://extensions shows'],
  ['edge-id', chromiumIdForm, 'the 32 letters from a to p that Partner Center shows'],
  [
    'firefox-id',
    geckoIdForm,
    '"browser_specific_settings.gecko.id" of the manifest, such as "notes@acme.example"',
  ],
] as const;

/** The options by their names. Without a `chrome-id` and a `firefox-id`, the extension is the one that manifest.json describes. */
export type DoctorOptions = Partial<ReturnType<typeof readDoctorOptions>>;

/** Reads the options of the command line. Throws a {@link UsageError}. */
export function readDoctorOptions(
  args?: readonly string[],
  environment?: Readonly<Record<string, string | undefined>>,
) {
  const options = readOptions(known, '--json --offline', args, environment);
  for (const [name, form, expected] of idForms) {
    const id = options[name];
    if (id === undefined || (form.test(id) && id.length <= 80)) continue;
    throw new UsageError(`--${name} is ${JSON.stringify(id)}; expected ${expected}.`);
  }
  return options;
}

/**
 * Runs the command. It starts the demo provider if the configuration names it and nothing listens there. Calls `log`
 * with the report. Throws an Error if a sign-in can't work, or the extension wouldn't use the policy.
 */
export async function runDoctor(
  options: DoctorOptions,
  onStop: OnStop,
  log: (text: string) => void,
  start: typeof startDemoProvider = startDemoProvider,
): Promise<void> {
  const { 'chrome-id': chromeId = null, 'edge-id': edgeId = null, 'firefox-id': firefoxId = null } = options;
  const isOther = chromeId !== null || firefoxId !== null;
  const ids = isOther ? { chromeId, edgeId, firefoxId } : { ...toExtensionIds(readManifest()), edgeId };
  const { policy: path } = options;
  const { config, demo } = readDemonstrated();
  const policy = path === undefined ? null : examinePolicyText(readWindowsText(path), path, config, ids);
  if (!options.offline && demo !== null) {
    const uris = toTargets(ids, demo).map(({ redirectUri }) => redirectUri);
    await startDemo(demo, onStop, uris, start).catch((error: unknown) => {
      // `npm start` runs it already. Another program in its place shows in the report.
      if (!(error instanceof Error && error.cause instanceof PortTakenError)) throw error;
    });
  }
  const asked = options.offline ? null : network;
  const report = await examineConfig({ config, configPath: toConfigPath(), policy, ids, network: asked });
  log(options.json ? JSON.stringify(report, null, 2) : printReport(report).join('\n'));
  if (report.outlook === 'cannot-work') throw new Error(describeFailure(report));
}

function describeFailure({ providers, policy }: Report): string {
  if (policy?.policies.some(isBroken)) return `${policy.file}: the policy needs a correction.`;
  const broken = providers.filter(({ outlook }) => Object.values(outlook).includes('cannot-work')).length;
  return `${broken} of ${providers.length} providers ${broken === 1 ? 'needs' : 'need'} a correction.`;
}

await runIfStarted(import.meta.url, (onStop) => runDoctor(readDoctorOptions(), onStop, console.log));
