// Keeps the pages of docs/providers in step with the profiles. A profile of a team needs no page.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { FormatConfig } from 'oxfmt';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { loadProfiles } from '../../tools/build/profiles.ts';
import { pagesFolder, toExample, toFlow, toPages } from '../../tools/provider-pages.ts';
import { toRegister } from '../../tools/doctor/report.ts';
import { toExtensionIds, toTargets } from '../../tools/doctor/targets.ts';
import { writePages } from '../../tools/providers.ts';
import { describeRedirectUris, type ExtensionIdentity } from '../../tools/redirect-uris.ts';
import { acme } from '../support/samples.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = resolve(root, pagesFolder);
const style = JSON.parse(readFileSync(resolve(root, '.oxfmtrc.json'), 'utf8')) as FormatConfig;
const files = readdirSync(folder);

const documented = loadProfiles().filter(({ name }) => files.includes(`${name}.md`));
const pages = await toPages(documented, style);

test('there are pages, and each belongs to a profile', () => {
  expect(documented.length).toBeGreaterThan(40);
  expect(files.toSorted()).toEqual([...pages.keys()].toSorted());
});

test('the README counts the providers with settings, and those that are refused', () => {
  const readme = readFileSync(resolve(root, 'README.md'), 'utf8');
  const refused = documented.filter(({ profile }) => profile.use === 'refused').length;
  const counted = /\*\*Settings for (\d+) providers\*\*, and the reason why (\d+) others/.exec(readme);
  // A team's own README says something else.
  if (counted === null) return;
  expect(counted.slice(1).map(Number)).toEqual([documented.length - refused, refused]);
});

test('tools/providers.ts writes the pages to where they are', async () => {
  const project = mkdtempSync(join(tmpdir(), 'latchkey-pages-'));
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  mkdirSync(join(project, pagesFolder), { recursive: true });
  const count = await writePages(project);
  const written = readdirSync(join(project, pagesFolder));
  expect(written).toEqual(expect.arrayContaining(files));
  expect(written).toHaveLength(count);
});

test.each(files)('docs/providers/%s says what the profiles say; tools/providers.ts writes it', (file) => {
  expect(readFileSync(resolve(folder, file), 'utf8')).toBe(pages.get(file));
});

describe.each(
  documented.flatMap(({ name, profile }) => (profile.use === 'preset' ? [{ name, profile }] : [])),
)('the page of $name', ({ name, profile }) => {
  const { settings } = profile;
  const manifest = JSON.parse(readFileSync(resolve(root, 'manifest.json'), 'utf8')) as ExtensionIdentity;
  const [provider] = readConfig({
    providers: [{ ...acme, id: 'own', firefoxRedirect: settings.firefoxRedirect }],
  }).providers;
  if (provider === undefined) throw new Error('There is no provider.');
  const targets = toTargets(toExtensionIds(manifest), provider);

  /** An address of this extension, in the form that a page has for every extension. */
  const toForm = (address: string) =>
    address
      .replace(/[a-p]{32}/, '<extension id>')
      .replace(/[\da-f]{40}/, '<hash of the gecko id>')
      .replace(/own$/, '<id>');

  test.each(targets)('names what the build and the doctor say for $name', (target) => {
    const page = pages.get(`${name}.md`);
    expect(page).toContain(`\`${toForm(target.redirectUri)}\``);
    const printed = describeRedirectUris(manifest, [provider], ['chrome', 'firefox']).join('\n');
    expect(printed).toContain(` ${target.redirectUri}`);
    const { redemption, steps: filled } = toRegister(targets, profile);
    const steps = filled.join('\n');
    expect(page).toContain(redemption);
    expect(steps).toContain(target.redirectUri);
    if (target.name !== 'chrome') return;
    const registered = page?.split('## What to register')[1]?.split('## ')[0];
    expect(registered?.includes(toForm(target.origin))).toBe(steps.includes(target.origin));
  });
});

test.each([
  [{ scope: 'openid' }, 'code and PKCE'],
  [{ userApi: null }, 'code and PKCE'],
  [{ userApi: { url: 'https://api.example.com/me' } }, 'code and PKCE, user API'],
  [{ responseType: 'id_token' }, 'ID token alone'],
  [{ deviceFlow: 'fallback' }, 'code and PKCE'],
  [{ deviceFlow: 'only', userApi: {} }, 'device flow'],
])('the list says of %j: %s', (settings, flow) => {
  expect(toFlow(settings)).toBe(flow);
});

describe('each setting that a profile asks for', () => {
  const asks = documented.flatMap(({ name, profile }) =>
    profile.use === 'preset' ? profile.asks.map((ask) => ({ name, setting: ask.setting, ask })) : [],
  );

  test.each(asks)('has an example: $setting of $name', ({ setting, ask }) => {
    expect(JSON.stringify(toExample(ask))).toMatch(setting === 'scope' ? /openid/ : /https:/);
  });
});
