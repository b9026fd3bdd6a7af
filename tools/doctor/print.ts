// Says in words what the doctor has found, at most 100 columns wide: the whole report, and the parts that other commands print.

import { withTimeout } from '../../src/concurrency.ts';
import { quote } from '../../src/config/config-error.ts';
import { quoteVisibly } from '../../src/config/visible.ts';
import type { BrowserName } from '../browser/browsers.ts';
import { toMessage } from '../command.ts';
import { storesDiffer, targetTitles, type TargetName } from '../redirect-uris.ts';
import { holdsIn, type Finding } from './finding.ts';
import { isBroken, toOwnIds, type ExaminedPolicy, type PolicyReport, type PolicySettings } from './policy.ts';
import type { Outlook, ProviderReport, Report } from './report.ts';

const summaries: Readonly<Record<Outlook | 'refused', string>> = {
  works: 'Everything that can be checked without signing in is right.',
  unknown: 'Not everything could be checked. Sign in once in each browser.',
  'cannot-work': "A sign-in can't work. Correct what is marked as an error, and run this again.",
  refused:
    "The extension wouldn't get or not use the policy. Correct what is marked as an error, and run this again.",
};

/** The lines of a report. */
export function printReport({ mode, config, notes, providers, policy, outlook }: Report): readonly string[] {
  const isRefused = policy?.policies.some(isBroken) ?? false;
  const place =
    mode === 'offline' ? `${config}, without asking any provider: what is known, and since when.` : config;
  return [
    ...(policy === undefined ? [] : [...printPolicy(policy), '']),
    ...(providers.length === 0 && isRefused
      ? []
      : [
          place,
          ...notes.flatMap((note) => printSaid('note', note)),
          ...providers.flatMap((provider) => ['', ...printProvider(provider, mode)]),
          '',
        ]),
    ...wrap(summaries[isRefused ? 'refused' : outlook], ''),
  ];
}

const titles: Readonly<Record<Outlook, string>> = {
  works: 'will work',
  unknown: 'not known',
  'cannot-work': "can't work",
};

function printProvider(provider: ProviderReport, mode: Report['mode']): readonly string[] {
  const { name, id, issuer, profile, outlook, findings, register } = provider;
  const outlooks = Object.entries(outlook).map(([target, value]) => [target, titles[value]] as const);
  const shows = (...codes: readonly Finding['code'][]) => findings.some(({ code }) => codes.includes(code));
  // The endpoint itself has shown more than the profile knows.
  const redemption = shows('token-endpoint', 'origin-refused') ? null : register.redemption;
  return [
    `${name} (${id})  ${issuer}`,
    ...(profile === null ? [] : [`  recognized as ${profile.title}, profile "${profile.name}"`]),
    ...(profile === null && mode === 'offline'
      ? ['  No profile: nothing is known about this provider without asking it.']
      : []),
    ...(mode === 'offline' ? [] : outlooks.map(printByTarget('  '))),
    ...findings.flatMap(printFinding),
    ...(shows('provider-refused') ? [] : printRegister(id, { ...register, redemption })),
    ...(mode === 'offline' && profile !== null ? printFacts(profile) : []),
  ];
}

const printByTarget =
  (indent: string) =>
  ([target, value]: readonly [string, string]) =>
    `${indent}${`${targetTitles[target as TargetName]}:`.padEnd(15)}${value}`;

function printFinding({ severity, targets, text, remedy }: Finding): readonly string[] {
  const place = targets === 'all' ? '' : `${targets.map((name) => targetTitles[name]).join(', ')}: `;
  return printSaid(severity, `${place}${text}`, remedy);
}

/** The lines about what to register for a provider. */
export function printRegister(
  providerId: string,
  { redirectUris, origins, console, steps, redemption }: ProviderReport['register'],
): string[] {
  const unknownEdge = `https://<id that Partner Center shows>.chromiumapp.org/${providerId}`;
  const explained = Object.entries(origins).map(
    ([target, origin]) =>
      [target, origin === '*' ? '* (any: its origin differs in each installation)' : origin] as const,
  );
  return [
    '  Redirect URIs to register at the provider:',
    ...Object.entries({ ...redirectUris, edge: redirectUris.edge ?? unknownEdge }).map(printByTarget('    ')),
    ...wrap(storesDiffer, '    '),
    ...(explained.length === 0
      ? []
      : ['  Origins to allow, if the provider has a list of them (CORS, "web origins"):']),
    ...explained.map(printByTarget('    ')),
    ...(redemption === null ? [] : wrap(redemption, '    ')),
    ...(steps.length === 0 ? [] : [`  Steps in ${console ?? 'the console of the provider'}:`]),
    ...steps.flatMap(printNumbered),
  ];
}

function printFacts({ facts }: NonNullable<ProviderReport['profile']>): string[] {
  return [
    '  Where this comes from:',
    ...facts.flatMap((fact) => [
      ...wrap(`${fact.date}, ${fact.how}: ${fact.text}`, '    '),
      ...(fact.source === undefined ? [] : [`      ${fact.source}`]),
    ]),
  ];
}

/** How long a command waits for the providers after its own work. */
const graceMs = 2_000;

/**
 * Returns lines to print before a browser opens: the errors of each provider with which a sign-in can't work there, or one
 * line if the examination failed or takes longer. Empty if nothing speaks against a sign-in.
 */
export async function describeObstacles(
  examination: Promise<Report>,
  browser: BrowserName,
  waitMs = graceMs,
): Promise<readonly string[]> {
  try {
    const report = await withTimeout(examination, waitMs, () => null);
    if (report === null) return ["The providers haven't responded yet. `npm run doctor` waits for them."];
    return report.providers.flatMap(({ name, findings }) => {
      const errors = findings.filter((one) => one.severity === 'error' && holdsIn(one, browser));
      if (errors.length === 0) return [];
      const lines = errors.flatMap(printFinding);
      return [`A sign-in with ${name} can't work:`, ...lines, '  `npm run doctor` says more.'];
    });
  } catch (error) {
    return [toMessage(error)];
  }
}

/** One line for each error of a report, beginning with its place in the configuration. */
export function listErrors({ config, providers }: Report): readonly string[] {
  return providers.flatMap(({ findings }, index) =>
    findings
      .filter(({ severity }) => severity === 'error')
      .map(
        ({ text, remedy }) => `${config}: providers[${index}]: ${[text, remedy].filter(Boolean).join(' ')}`,
      ),
  );
}

/** More would hide the rest. */
const maxShown = 10;

const list = (ids: readonly string[]) => ids.slice(0, maxShown).map(quote).join(', ');

/** The lines about the policies of a file. */
export function printPolicy({ file, form, ids, policies, beside }: PolicyReport): readonly string[] {
  const alike = `The file has a policy like this for ${list(beside)} too. If that is this extension, from a store, name the ID: --chrome-id, --edge-id or --firefox-id.`;
  return [
    `${file}, ${form}`,
    ...policies.flatMap((policy) => ['', ...printOne(policy, ids)]),
    ...(beside.length === 0 ? [] : ['', ...printSaid('note', alike)]),
  ];
}

const notUsed =
  'The extension uses nothing of a policy with a mistake: the settings before it stay in force, and a first start offers no provider.';
const toBeComplete =
  'A policy may bring one, but it must be complete: "id", "name", "issuer" and "clientId". To change a provider of the build, use its "id".';

function printOne(policy: ExaminedPolicy, ids: PolicyReport['ids']): readonly string[] {
  const { extensionId, problems, newIds, settings } = policy;
  const absent = `The build has no provider ${list(newIds)}. ${toBeComplete}`;
  return [
    extensionId === null ? 'Policy' : `Policy for ${quote(extensionId)}`,
    ...printAddressee(policy, ids),
    ...problems.flatMap((problem) => printSaid('error', problem)),
    ...(problems.length > 0 && settings === null ? printSaid('note', notUsed) : []),
    ...(problems.length > 0 && newIds.length > 0 ? printSaid('note', absent) : []),
    ...(settings === null ? [] : printSettings(settings, problems.length > 0)),
  ];
}

function printAddressee(
  { browser, addressee, extensionId }: ExaminedPolicy,
  ids: PolicyReport['ids'],
): string[] {
  const own = toOwnIds(browser, ids).join(' or ');
  const options = browser === 'firefox' ? '--firefox-id' : '--chrome-id or --edge-id';
  const said = {
    own: ['ok', 'The ID is that of this extension.'],
    unknown: [
      'note',
      extensionId === null
        ? "The file doesn't say which extension it is for."
        : `The doctor doesn't know whether the ID is right. Set the extension's own: ${options}.`,
    ],
    placeholder: [
      'error',
      `The ID is still the placeholder of the sample. Put the extension's ID there${own && `, such as ${own}`}. ` +
        'A store may have given it another: see "The IDs" in docs/administrators.md.',
    ],
    other: [
      'error',
      `The ID belongs to a different extension: this one has ${own}. No browser would give it this policy. ` +
        `If a store gave it the ID in the file, set that: ${options}.`,
    ],
  } as const;
  const [severity, text] = said[addressee];
  return printSaid(severity, text);
}

function printSettings(settings: PolicySettings, isRest: boolean): readonly string[] {
  const { providers, notOffered, persistence, autoSignIn, rememberAccounts, managedBy } = settings;
  const others = notOffered.map(({ id, name }) => `${name} (${id})`).join(', ');
  return [
    ...(isRest
      ? printSaid('note', 'The extension would use the rest:')
      : printSaid('ok', 'The extension would use it:')),
    ...(providers.length === 0 ? ['           no provider is offered'] : []),
    ...providers.flatMap(({ id, name, issuer, allowed }, index) => [
      ...printNumbered(`${name} (${id})  ${issuer}`, index),
      ...wrap(describeAllowed(allowed), ' '.repeat(8)),
    ]),
    ...(others === '' ? [] : wrap(`Not offered: ${others}`, '    ')),
    `    persistence: ${persistence}`,
    `    autoSignIn: ${autoSignIn}`,
    `    rememberAccounts: ${rememberAccounts}`,
    `    managedBy: ${managedBy ?? 'not set'}`,
  ];
}

type Allowed = PolicySettings['providers'][number]['allowed'];

function describeAllowed(allowed: Allowed): string {
  const rules = Object.entries(allowed).map(([claim, values]) => {
    const shown = values
      .slice(0, maxShown)
      .map((value) => (typeof value === 'string' ? quoteVisibly(value) : String(value)));
    const left = values.length - shown.length;
    return `${quoteVisibly(claim)} is ${[...shown, ...(left > 0 ? [`one of ${left} others`] : [])].join(' or ')}`;
  });
  return rules.length === 0
    ? 'Anyone with an account at the provider may sign in.'
    : `A user may sign in only if ${rules.join(', and ')}.`;
}

const columns = 100;

/** The lines of one thing said, after its severity. `remedy` begins on a line of its own. */
export function printSaid(
  severity: Finding['severity'],
  text: string,
  remedy: string | null = null,
): string[] {
  const label = `  ${severity.padEnd(9)}`;
  return [...printLabelled(label, text), ...(remedy === null ? [] : wrap(remedy, ' '.repeat(label.length)))];
}

function printNumbered(text: string, index: number): string[] {
  return printLabelled(`    ${`${index + 1}.`.padEnd(4)}`, text);
}

function printLabelled(label: string, text: string): string[] {
  const indent = ' '.repeat(label.length);
  return wrap(text, indent).map((line, index) => (index === 0 ? line.replace(indent, label) : line));
}

/** Breaks a text between words. A word that is longer than a line, such as a URI, gets a line of its own. */
export function wrap(text: string, indent: string): string[] {
  const line = new RegExp(`\\S(?:.{0,${columns - indent.length - 1}}|\\S*)(?= |$)`, 'g');
  return (text.match(line) ?? ['']).map((words) => indent + words);
}
