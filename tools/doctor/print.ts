// Says in words what the doctor has found: the whole report, and what other commands tell of it.

import { withTimeout } from '../../src/concurrency/timeout.ts';
import type { BrowserName } from '../browser/browsers.ts';
import { toMessage } from '../command.ts';
import { storesDiffer } from '../redirect-uris.ts';
import { holdsIn, type Finding, type TargetName } from './finding.ts';
import { printSaid, wrap } from './lines.ts';
import { isBroken } from './policy.ts';
import { printPolicy } from './print-policy.ts';
import type { Outlook, ProviderReport, Report } from './report.ts';
import { targetTitles } from './targets.ts';

/** The lines of a report. */
export function printReport(report: Report): readonly string[] {
  const { mode, config, providers, policy, outlook } = report;
  const isRefused = policy?.policies.some(isBroken) ?? false;
  return [
    ...(policy === undefined ? [] : [...printPolicy(policy), '']),
    ...(providers.length === 0 && isRefused ? [] : [...printProviders(config, mode, providers), '']),
    ...wrap(isRefused ? refused : summaries[outlook], ''),
  ];
}

function printProviders(config: string, mode: Report['mode'], providers: Report['providers']): string[] {
  return [
    mode === 'offline' ? `${config}, without asking any provider: what is known, and since when.` : config,
    ...providers.flatMap((provider) => ['', ...printProvider(provider, mode)]),
  ];
}

const refused =
  'The extension would not get or not use the policy. Correct what is marked as an error, and run this again.';

const summaries: Readonly<Record<Outlook, string>> = {
  works: 'Everything that can be checked without signing in is right.',
  unknown: 'Not everything could be checked. Sign in once in each browser.',
  'cannot-work': 'A sign-in cannot work. Correct what is marked as an error, and run this again.',
};

const titles: Readonly<Record<Outlook, string>> = {
  works: 'will work',
  unknown: 'not known',
  'cannot-work': 'cannot work',
};

function printProvider(provider: ProviderReport, mode: Report['mode']): readonly string[] {
  const { name, id, issuer, profile, outlook, findings, register } = provider;
  const outlooks = Object.entries(outlook) as [TargetName, Outlook][];
  return [
    `${name} (${id})  ${issuer}`,
    ...(profile === null ? [] : [`  recognized as ${profile.title}, profile "${profile.name}"`]),
    ...(mode === 'offline'
      ? []
      : outlooks.map(([target, value]) => `  ${`${targetTitles[target]}:`.padEnd(15)}${titles[value]}`)),
    ...findings.flatMap((finding) => printFinding(finding, outlooks.length)),
    ...(findings.some(({ code }) => code === 'provider-refused')
      ? []
      : printRegister(id, leaveOutSeen(register, findings))),
    ...(mode === 'offline' ? printFacts(profile) : []),
  ];
}

/** Leaves out what the profile knows of the token endpoint, if the endpoint itself has shown it. */
function leaveOutSeen(
  register: ProviderReport['register'],
  findings: readonly Finding[],
): ProviderReport['register'] {
  const isSeen = findings.some(({ code }) => code === 'token-endpoint' || code === 'origin-refused');
  return isSeen ? { ...register, redemption: null } : register;
}

/** The lines of one finding. `targetCount` is how many targets there are. */
function printFinding(finding: Finding, targetCount: number): readonly string[] {
  const { severity, targets, text, remedy } = finding;
  const isEverywhere = targets === 'all' || targets.length === targetCount;
  const place = isEverywhere ? '' : `${targets.map((name) => targetTitles[name]).join(', ')}: `;
  return printSaid(severity, `${place}${text}`, remedy);
}

/** The lines about what to register for a provider. */
export function printRegister(
  providerId: string,
  { redirectUris, origins, console, steps, redemption }: ProviderReport['register'],
): string[] {
  const line = ([target, value]: [string, string]) =>
    `    ${`${targetTitles[target as TargetName]}:`.padEnd(15)}${value}`;
  return [
    '  Redirect URIs to register at the provider:',
    ...Object.entries(redirectUris).map(line),
    ...(redirectUris.edge === undefined
      ? [line(['edge', `https://<id that Partner Center shows>.chromiumapp.org/${providerId}`])]
      : []),
    ...wrap(storesDiffer, '    '),
    '  Origins to allow, if the provider has a list of them (CORS, "web origins"):',
    ...Object.entries(origins).map(([target, origin]) => line([target, explainOrigin(origin)])),
    ...(redemption === null ? [] : wrap(redemption, '    ')),
    ...(steps.length === 0 ? [] : [`  Steps in ${console ?? 'the console of the provider'}:`]),
    ...steps.flatMap((step, index) => printStep(step, index + 1)),
  ];
}

function explainOrigin(origin: string): string {
  return origin === '*' ? '* (any: its origin differs in each installation)' : origin;
}

function printStep(step: string, number: number): string[] {
  const [first = '', ...rest] = wrap(step, ' '.repeat(8));
  return [`    ${`${number}.`.padEnd(4)}${first.trimStart()}`, ...rest];
}

function printFacts(profile: ProviderReport['profile']): string[] {
  if (profile === null) return [];
  return [
    '  Where this comes from:',
    ...profile.facts.flatMap((fact) => [
      ...wrap(`${fact.date}, ${fact.how}: ${fact.text}`, '    '),
      ...(fact.how === 'from memory' ? [] : [`      ${fact.source}`]),
    ]),
  ];
}

/** How long a command waits for the providers after its own work. */
const graceMs = 2_000;

/**
 * Returns lines to print before a browser opens: the errors of each provider with which a sign-in cannot work there, or one
 * line if the examination failed or takes longer. Empty if nothing speaks against a sign-in.
 */
export async function describeObstacles(
  examination: Promise<Report>,
  browser: BrowserName,
  waitMs = graceMs,
): Promise<readonly string[]> {
  try {
    const report = await withTimeout(examination, waitMs, () => null);
    if (report === null) return ['The providers have not answered yet. `npm run doctor` waits for them.'];
    return report.providers.flatMap((provider) => describeProvider(provider, browser));
  } catch (error) {
    return [toMessage(error)];
  }
}

function describeProvider({ name, outlook, findings }: ProviderReport, browser: BrowserName): string[] {
  const errors = findings.filter((finding) => finding.severity === 'error' && holdsIn(finding, browser));
  if (errors.length === 0) return [];
  return [
    `A sign-in with ${name} cannot work:`,
    ...errors.flatMap((finding) => printFinding(finding, Object.keys(outlook).length)),
    '  `npm run doctor` says more.',
  ];
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
