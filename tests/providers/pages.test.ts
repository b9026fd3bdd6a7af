// Keeps the pages of docs/providers in step with the profiles. A profile of a team needs no page.

import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FormatConfig } from 'oxfmt';
import { describe, expect, test } from 'vitest';
import type { Provider } from '../../src/config/config.ts';
import type { PresetProfile } from '../../src/providers/profile.ts';
import { describeProfile } from '../../tools/add-provider.ts';
import { loadProfiles, profiles } from '../../tools/build/profiles.ts';
import { pagesFolder, toPages } from '../../tools/providers.ts';
import { toExampleProvider, toOutline } from '../../tools/profile-outline.ts';
import { examineProvider } from '../../tools/doctor/examine.ts';
import { toRegister } from '../../tools/doctor/report.ts';
import {
  describeRedirectUris,
  toExtensionIds,
  toTargets,
  type ExtensionIdentity,
} from '../../tools/redirect-uris.ts';
import { readConfig } from '../support/samples.ts';

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
  const counted =
    /\*\*Ready-made settings for (\d+) providers\*\*, and a plain explanation for the (\d+)/.exec(readme);
  // A team's own README says something else.
  if (counted === null) return;
  expect(counted.slice(1).map(Number)).toEqual([documented.length - refused, refused]);
});

const rowOf = (name: string) =>
  pages
    .get('README.md')
    ?.split('\n')
    .find((line) => line.includes(`](${name}.md)`));

test.each(files)('docs/providers/%s says what the profiles say; tools/providers.ts writes it', (file) => {
  expect(readFileSync(resolve(folder, file), 'utf8')).toBe(pages.get(file));
});

/** The configuration of a team whose values are all "acme". */
function configure(name: string, profile: PresetProfile): Provider {
  const example = { ...toExampleProvider(name, profile), id: 'own' };
  const own = JSON.parse(JSON.stringify(example).replaceAll(/<[^<>]+>/g, 'acme')) as unknown;
  return readConfig({ providers: [own] }, profiles).providers[0]!;
}

describe.each(
  documented.flatMap(({ name, profile }) => (profile.use === 'preset' ? [{ name, profile }] : [])),
)('the page of $name', ({ name, profile }) => {
  const page = pages.get(`${name}.md`) ?? '';
  const manifest = JSON.parse(readFileSync(resolve(root, 'manifest.json'), 'utf8')) as ExtensionIdentity;
  const extension = { ...toExtensionIds(manifest), edgeId: 'abcdefghijklmnopabcdefghijklmnop' };
  const provider = configure(name, profile);
  const targets = toTargets(extension, provider);
  const { scope, redemption } = toOutline(profile);
  const limits = profile.limits.map(({ text }) => text);
  const asked = describeProfile(profile, 'own', extension).join(' ').replaceAll(/\s+/g, ' ');
  const reported = toRegister(targets, provider.scope, profile);

  /** A text in the form that a page has for every extension. */
  const toForm = (text: string) =>
    text
      .replaceAll(/[a-p]{32}/g, '<extension id>')
      .replaceAll(/[\da-f]{40}/g, '<hash of the gecko id>')
      .replaceAll('/own', '/<id>');

  test.each(targets)(
    'names the redirect URI and the origin that build and doctor name for $name',
    (target) => {
      expect(page).toContain(`\`${toForm(target.redirectUri)}\``);
      expect(asked).toContain(` ${target.redirectUri}`);
      expect(reported.redirectUris[target.name]).toBe(target.redirectUri);
      if (target.name === 'edge') return;
      const printed = describeRedirectUris(manifest, [provider], [target.name]).join('\n');
      expect(printed).toContain(` ${target.redirectUri}`);
      const steps = reported.steps.join('\n');
      expect(steps).toContain(target.redirectUri);
      const registered = page.split('## What to register')[1]?.split('## ')[0];
      expect(registered?.includes(toForm(target.origin))).toBe(steps.includes(target.origin));
    },
  );

  test('says as the doctor and the list in which browsers a code can be redeemed', () => {
    expect(page).toContain(redemption.text);
    expect(asked).toContain(redemption.text);
    expect(reported.redemption).toBe(redemption.text);
    expect(rowOf(name)).toContain(` ${redemption.short} `);
  });

  test('names the scope that the doctor names and the extension asks for', () => {
    expect(page).toContain(scope === '' ? 'asks for no scope.' : `asks for the scope \`${scope}\`.`);
    expect(asked).toContain(`Scope: ${scope === '' ? 'none' : scope} `);
    expect(scope?.replaceAll(/<[^<>]+>/g, 'acme')).toBe(
      provider.responseType === 'code' ? provider.scope : provider.scope.replace(' offline_access', ''),
    );
  });

  test('names each limit that the doctor names', async () => {
    const { findings } = await examineProvider({
      provider,
      profileName: name,
      ids: extension,
      profiles: [{ name, profile }],
      network: null,
    });
    const found = findings.filter(({ code }) => code === 'limit').map(({ text }) => text);
    expect(found).toEqual(limits);
    for (const text of limits) {
      expect(page.replaceAll('`', '"')).toContain(`- ${text}`);
      expect(asked).toContain(text);
    }
  });
});
