import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { applyProfiles } from '../../../src/config/profiles.ts';
import { FileError } from '../../../tools/build/parse-json.ts';
import { profiles, profilesIn } from '../../../tools/build/profiles.ts';
import { problemsOf } from '../../support/samples.ts';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-profiles-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (file: string, code: string) => writeFileSync(join(folder, file), code);

const acme = {
  use: 'preset',
  title: 'Acme',
  settings: {},
  asks: [],
  issuers: { example: 'https://id.acme.example', patterns: [], mistakes: [] },
  registration: { console: 'Acme console', steps: [] },
  limits: [],
  facts: [],
};

const code = `export default ${JSON.stringify(acme)} satisfies object;`;

test('each file of the folder is a profile, apart from the one that describes their form', () => {
  write('profile.ts', 'export interface Profile {}');
  write('notes.md', '# Acme');
  write('acme.ts', code);
  expect(profilesIn(folder).names()).toEqual(['acme']);
  expect(profilesIn(folder).find('acme')).toEqual(acme);
});

test('a file that is added while the command runs is a profile too', () => {
  const found = profilesIn(folder);
  expect(found.find('other')).toBeNull();
  write('other.ts', code);
  expect(found.find('other')).toEqual(acme);
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

test('each unknown or missing member of a profile has a line of its own', () => {
  const { settings, facts: _left, ...others } = acme;
  write('slip.ts', `export default ${JSON.stringify({ ...others, setings: settings, refusal: 'No.' })};`);
  const find = () => profilesIn(folder).find('slip');
  expect(find).toThrow(FileError);
  expect(find).toThrow(
    [
      'src/providers/slip.ts: setings: unknown key; did you mean "settings"?',
      'src/providers/slip.ts: refusal: unknown key; expected one of "use", "title", "issuers", "registration", "limits", "facts", "settings", "asks", "apis", "stepUp"',
      'src/providers/slip.ts: facts: missing',
      'src/providers/slip.ts: settings: missing',
    ].join('\n'),
  );
});

test('a setting that no configuration knows is refused in a line that names the profile', () => {
  const profile = { ...acme, settings: { scpe: 'openid' } };
  write('odd.ts', `export default ${JSON.stringify(profile)};`);
  const provider = { id: 'a', name: 'A', issuer: 'https://id.acme.example', clientId: 'abc', profile: 'odd' };
  expect(problemsOf({ providers: [provider] }, (json) => applyProfiles(json, profilesIn(folder)))).toEqual([
    'providers[0].scpe: unknown key; did you mean "scope"? (profile "odd")',
  ]);
});
