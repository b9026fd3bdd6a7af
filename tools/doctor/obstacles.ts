// Says in the words of the doctor why a sign-in cannot work, for the commands that do something else.

import { withTimeout } from '../../src/concurrency/timeout.ts';
import type { BrowserName } from '../browser/browsers.ts';
import { toMessage } from '../command.ts';
import type { Finding } from './finding.ts';
import { printFinding } from './print.ts';
import type { ProviderReport, Report } from './report.ts';

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
  const errors = findings.filter((finding) => isErrorIn(finding, browser));
  if (errors.length === 0) return [];
  return [
    `A sign-in with ${name} cannot work:`,
    ...errors.flatMap((finding) => printFinding(finding, Object.keys(outlook).length)),
    '  `npm run doctor` says more.',
  ];
}

function isErrorIn({ severity, targets }: Finding, browser: BrowserName): boolean {
  return severity === 'error' && (targets === 'all' || targets.includes(browser));
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
