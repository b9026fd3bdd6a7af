// Prints the report for people.

import type { Finding, TargetName } from './finding.ts';
import { isBroken } from './examine-policy.ts';
import { printSaid, wrap } from './lines.ts';
import { printPolicy } from './print-policy.ts';
import type { Outlook, ProviderReport, Register, Report } from './report.ts';
import { storesDiffer } from '../redirect-uris.ts';
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
    ...(findings.some(({ code }) => code === 'provider-refused') ? [] : printRegister(id, register)),
    ...(mode === 'offline' ? printFacts(profile) : []),
  ];
}

/** The lines of one finding. `targetCount` is how many targets there are. */
export function printFinding(finding: Finding, targetCount: number): readonly string[] {
  const { severity, targets, text, remedy } = finding;
  const isEverywhere = targets === 'all' || targets.length === targetCount;
  const place = isEverywhere ? '' : `${targets.map((name) => targetTitles[name]).join(', ')}: `;
  return printSaid(severity, `${place}${text}`, remedy);
}

function printRegister(providerId: string, { redirectUris, origins, console, steps }: Register): string[] {
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
    ...profile.facts.flatMap(({ date, how, text, source }) => [
      ...wrap(`${date}, ${how}: ${text}`, '    '),
      ...(source === undefined ? [] : [`      ${source}`]),
    ]),
  ];
}
