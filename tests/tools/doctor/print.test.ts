import { expect, test } from 'vitest';
import type { Finding } from '../../../tools/doctor/finding.ts';
import { describeObstacles, printReport } from '../../../tools/doctor/print.ts';
import { toReport, type ProviderReport, type Report } from '../../../tools/doctor/report.ts';

function reportWith(...findings: readonly Finding[]): Report {
  const acme: ProviderReport = {
    id: 'acme',
    name: 'Acme',
    issuer: 'https://id.acme.example',
    profile: null,
    outlook: { chrome: 'works', firefox: 'works' },
    findings,
    register: { redirectUris: {}, origins: {}, console: null, steps: [], redemption: null },
  };
  return toReport('my.json', 'online', [acme]);
}

const refusedScope: Finding = {
  code: 'scope',
  severity: 'warning',
  targets: 'all',
  text: 'The provider may refuse a scope.',
  remedy: null,
};
const inFirefox: Finding = {
  code: 'origin-refused',
  severity: 'error',
  targets: ['firefox'],
  text: 'The token endpoint refuses requests.',
  remedy: 'Allow any origin.',
};
const report = reportWith(refusedScope, inFirefox);

test('an error is described in the words of the doctor, with what to do', async () => {
  const lines = await describeObstacles(Promise.resolve(report), 'firefox');
  expect(lines).toEqual([
    "A sign-in with Acme can't work:",
    '  error    Firefox: The token endpoint refuses requests.',
    '           Allow any origin.',
    '  `npm run doctor` says more.',
  ]);
  expect(printReport(report)).toEqual(expect.arrayContaining(lines.slice(1, 3)));
});

test('nothing is said about another browser, or about a warning', async () => {
  expect(await describeObstacles(Promise.resolve(report), 'chrome')).toEqual([]);
});

test('providers that take long are not waited for', async () => {
  const lines = await describeObstacles(new Promise<Report>(() => {}), 'chrome', 0);
  expect(lines).toEqual(["The providers haven't responded yet. `npm run doctor` waits for them."]);
});

test('an examination that fails is one line', async () => {
  const lines = await describeObstacles(Promise.reject(new Error('manifest.json: broken')), 'chrome');
  expect(lines).toEqual(['manifest.json: broken']);
});
