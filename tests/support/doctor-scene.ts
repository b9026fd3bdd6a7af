// Examines a provider that differs from a healthy one.

import { examineProvider } from '../../tools/doctor/examine.ts';
import type { ProviderReport } from '../../tools/doctor/report.ts';
import { toExtensionIds } from '../../tools/redirect-uris.ts';
import { createHealthyProvider, issuer, type Replaced } from './healthy-provider.ts';
import { readConfig } from './samples.ts';

export const identity = { key: 'AAAA', browser_specific_settings: { gecko: { id: 'acme@acme.example' } } };
export const ids = toExtensionIds(identity);
export const acme = { id: 'acme', name: 'Acme', issuer, clientId: 'acme-client' };

export type Settings = Readonly<Record<string, unknown>>;

/** The provider of a configuration with these settings. */
export function configure(settings: Settings) {
  const [provider] = readConfig({ providers: [{ ...acme, ...settings }] }).providers;
  if (provider === undefined) throw new Error('The configuration has no provider.');
  return provider;
}

/** The doctor's report about a provider, with the requests that it sent. `replaced` says how it differs from a healthy one. */
export async function examine(replaced: Replaced = {}, settings: Settings = {}, more: object = {}) {
  const { fetch, requests } = createHealthyProvider(replaced);
  const given = { provider: configure(settings), profileName: null, ids, profiles: [], network: fetch };
  return { report: await examineProvider({ ...given, ...more }), requests };
}

export const bad = ({ findings }: ProviderReport) => findings.filter(({ severity }) => severity !== 'ok');

/** The findings, a line each: severity, code, where it applies, the words, and what to do. */
export const toLines = ({ findings }: ProviderReport) =>
  findings.map(
    ({ severity, code, targets, text, remedy }) =>
      `${severity} ${code} (${String(targets)}): ${text} ${remedy ?? ''}`,
  );

/** Where mistakes do harm. */
type Outlooks = Readonly<Record<'chrome' | 'firefox', 'works' | 'unknown' | 'cannot-work'>>;

export const broken: Outlooks = { chrome: 'cannot-work', firefox: 'cannot-work' };
export const open: Outlooks = { chrome: 'unknown', firefox: 'unknown' };
export const less: Outlooks = { chrome: 'works', firefox: 'works' };

/** The reports of some scenes as text: the outlook in each browser, and each finding. */
export async function describeReports<Scene>(
  scenes: Readonly<Record<string, Scene>>,
  toReport: (scene: Scene) => Promise<ProviderReport>,
): Promise<string> {
  const texts: string[] = [];
  for (const [title, scene] of Object.entries(scenes)) {
    const report = await toReport(scene);
    const lines = toLines({ ...report, findings: bad(report) }).map((line) => `  ${line.trimEnd()}\n`);
    texts.push([`${title}: ${Object.entries(report.outlook).flat().join(' ')}\n`, ...lines].join(''));
  }
  return texts.join('\n');
}
