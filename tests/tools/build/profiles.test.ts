import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { profiles, profilesIn } from '../../../tools/build/profiles.ts';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-profiles-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (file: string, code: string) => writeFileSync(join(folder, file), code);

const code = `export default { use: 'preset', title: 'Acme' } satisfies object;`;

test('each file of the folder is a profile, apart from the one that describes their form', () => {
  write('profile.ts', 'export interface Profile {}');
  write('notes.md', '# Acme');
  write('acme.ts', code);
  expect(profilesIn(folder).names()).toEqual(['acme']);
  expect(profilesIn(folder).find('acme')).toEqual({ use: 'preset', title: 'Acme' });
});

test('a file that is added while the command runs is a profile too', () => {
  const found = profilesIn(folder);
  expect(found.find('other')).toBeNull();
  write('other.ts', code);
  expect(found.find('other')).toEqual({ use: 'preset', title: 'Acme' });
});

test.each(['../package', 'profile', '', 'constructor'])('%j is no profile', (name) => {
  expect(profiles.find(name)).toBeNull();
});

test.each([
  ['no default export', `export const acme = { use: 'preset' };`],
  ['another default export', 'export default { settings: {} };'],
])('a file with %s is named', (what, wrong) => {
  const name = `wrong-${what.length}`;
  write(`${name}.ts`, wrong);
  expect(() => profilesIn(folder).find(name)).toThrow(
    `src/providers/${name}.ts: found no profile; expected one as the default export, as src/providers/profile.ts describes it`,
  );
});
