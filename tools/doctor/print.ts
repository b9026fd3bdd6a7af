// Says in words what the doctor has found: the whole report, and the parts that other commands print.

import { withTimeout } from '../../src/concurrency/timeout.ts';
import type { BrowserName } from '../browser/browsers.ts';
import { toMessage } from '../command.ts';
import { storesDiffer, targetTitles, type TargetName } from '../redirect-uris.ts';
import { holdsIn, type Finding } from './finding.ts';
import { printNumbered, printSaid, wrap } from './lines.ts';
import { isBroken } from './policy.ts';
import { printPolicy } from './print-policy.ts';
import type { Outlook, ProviderReport, Report } from './report.ts';

const summaries: Readonly<Record<Outlook | 'refused', string>> = {
  works: 'Everything that can be checked without signing in is right.',
  unknown: 'Not everything could be checked. Sign in once in each browser.',
  'cannot-work': 'A sign-in cannot work. Correct what is marked as an error, and run this again.',
  refused:
    'The extension would not get or not use the policy. Correct what is marked as an error, and run this again.',
};

/** The lines of a report. */
export function printReport({ mode, config, providers, policy, outlook }: Report): readonly string[] {
  const isRefused = policy?.policies.some(isBroken) ?? false;
  const place =
    mode === 'offline' ? `${config}, without asking any provider: what is known, and since when.` : config;
  return [
    ...(policy === undefined ? [] : [...printPolicy(policy), '']),
    ...(providers.length === 0 && isRefused
      ? []
      : [place, ...providers.flatMap((provider) => ['', ...printProvider(provider, mode)]), '']),
    ...wrap(summaries[isRefused ? 'refused' : outlook], ''),
  ];
}

const titles: Readonly<Record<Outlook, string>> = {
  works: 'will work',
  unknown: 'not known',
  'cannot-work': 'cannot work',
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
    '  Origins to allow, if the provider has a list of them (CORS, "web origins"):',
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
    return report.providers.flatMap(({ name, findings }) => {
      const errors = findings.filter((one) => one.severity === 'error' && holdsIn(one, browser));
      if (errors.length === 0) return [];
      const lines = errors.flatMap(printFinding);
      return [`A sign-in with ${name} cannot work:`, ...lines, '  `npm run doctor` says more.'];
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
