// `npm run mutate` changes the code on purpose and lists the changes that no test notices, one folder of src after another, each
// with the unit tests of that folder. `npm run mutate -- relay bridge` runs these two. What a former run has found out about
// unchanged code and tests is kept in node_modules/.cache/stryker.

import { Stryker } from '@stryker-mutator/core';

const mutated = {
  session: ['src/session/**/*.ts'],
  concurrency: ['src/concurrency/**/*.ts'],
  config: ['src/config/**/*.ts', 'tools/build/parse-config.ts'],
  oidc: ['src/oidc/**/*.ts'],
  relay: ['src/relay/**/*.ts'],
  bridge: ['src/bridge/**/*.ts'],
  popup: ['src/popup/**/*.{ts,tsx}'],
  background: ['src/background/**/*.ts'],
  'background/record': ['src/background/record/**/*.ts'],
  'background/vault': ['src/background/vault/**/*.ts'],
};

type Folder = keyof typeof mutated;
const isFolder = (name: string): name is Folder => Object.hasOwn(mutated, name);
const folders = Object.keys(mutated).filter(isFolder);

const given = process.argv.slice(2);
const unknown = given.find((name) => !isFolder(name));
if (unknown !== undefined) {
  console.error(`${unknown}: found no such folder; expected some of ${folders.join(', ')}`);
  process.exit(1);
}

const scores: string[] = [];
// A part of a folder runs only if it is named.
const isMeant = (name: Folder) => (given.length === 0 ? !name.includes('/') : given.includes(name));
for (const folder of folders.filter(isMeant)) {
  // For tests/mutation/vitest.config.ts, in the processes that Stryker starts.
  process.env['LATCHKEY_MUTATED'] = folder;
  const results = await new Stryker({
    configFile: 'tests/mutation/stryker.config.json',
    mutate: [...mutated[folder], '!src/**/*.d.ts'],
    incremental: true,
    incrementalFile: `node_modules/.cache/stryker/${folder.replace('/', '-')}.json`,
  }).runMutationTest();
  scores.push(`${folder.padEnd(18)} ${toScore(results.map(({ status }) => status))}`);
}
console.log(`\nFound by tests:\n${scores.join('\n')}`);

/** A change that ends in an endless loop is found. One that does not compile, or is ignored on purpose, does not count. */
function toScore(statuses: readonly string[]): string {
  const count = (...counted: readonly string[]) =>
    statuses.filter((status) => counted.includes(status)).length;
  const found = count('Killed', 'Timeout');
  const all = found + count('Survived', 'NoCoverage');
  return `${((100 * found) / all).toFixed(1)} %, ${found} of ${all}`;
}
