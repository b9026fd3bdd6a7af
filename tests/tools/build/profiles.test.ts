import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { profiles, profilesIn } from '../../../tools/build/profiles.ts';
import { makeFolder } from '../../support/folder.ts';

const acme = {
  use: 'preset',
  title: 'Acme',
  settings: {},
  asks: [],
  issuers: { example: 'https://id.acme.example', patterns: [], mistakes: [] },
  registration: { console: 'Acme console', steps: [] },
  limits: [],
  read: '2026-11',
  facts: [],
};

const code = `export default ${JSON.stringify(acme)} satisfies object;`;

test('each file of the folder is a profile, apart from the one that describes their form', () => {
  const files = { 'profile.ts': 'export interface Profile {}', 'notes.md': '# Acme', 'acme.ts': code };
  const found = profilesIn(makeFolder(files));
  expect(found.names()).toEqual(['acme']);
  expect(found.find('acme')).toEqual(acme);
});

test('a file that is added while the command runs is a profile too', () => {
  const folder = makeFolder();
  const found = profilesIn(folder);
  expect(found.find('other')).toBeNull();
  writeFileSync(join(folder, 'other.ts'), code);
  expect(found.find('other')).toEqual(acme);
});

test.each(['../package', 'profile', '', 'constructor'])('%j is no profile', (name) => {
  expect(profiles.find(name)).toBeNull();
});

test.each([
  ['no default export', `export const acme = { use: 'preset' };`],
  ['another default export', 'export default { settings: {} };'],
])('a file with %s is named', (_what, wrong) => {
  expect(() => profilesIn(makeFolder({ 'wrong.ts': wrong })).find('wrong')).toThrow(
    `src/providers/wrong.ts: found no profile; expected one as the default export, as src/providers/profile.ts describes it`,
  );
});
