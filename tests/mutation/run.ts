// `npm run mutate` changes the code on purpose and lists the changes that no test notices: in one folder of src after another, in
// src/concurrency.ts and in the relay, each with its unit tests. `npm run mutate -- relay bridge` runs these two, and
// `npm run mutate -- background 1/8` an eighth of the files of one, chosen at random: all of them take hours. What a former run has
// found out about unchanged code and tests is kept in node_modules/.cache/stryker.

import { existsSync, readdirSync } from 'node:fs';
import { Stryker } from '@stryker-mutator/core';
import { randomNumbers } from '../support/explorer/gates.ts';
import { drawSeed, readSeed } from '../support/seed.ts';

const folders = [
  'session',
  'concurrency',
  'config',
  'oidc',
  'relay',
  'bridge',
  'popup',
  'background',
  'parts',
];

const isPart = (name: string) => /^1\/[1-9]\d*$/.test(name);
const given = process.argv.slice(2).filter((name) => !isPart(name));
const share = Number(process.argv.find(isPart)?.slice(2) ?? 1);
/** Imports of anything but a folder of src. */
const elsewhere: Readonly<Record<string, string>> = {
  concurrency: 'src/concurrency.ts',
  relay: 'tools/relay',
};
const toPath = (folder: string) => elsewhere[folder] ?? `src/${folder}`;
const unknown = given.map(toPath).find((path) => !existsSync(path));
if (unknown !== undefined) {
  console.error(
    `${unknown}: found no such folder; expected some of ${folders.join(', ')}, or a folder in one`,
  );
  process.exit(1);
}

/** The files of a folder, or as many of them as the share says. */
function findFiles(folder: string): readonly string[] {
  const path = toPath(folder);
  const files = path.endsWith('.ts')
    ? [path]
    : readdirSync(path, { recursive: true }).map((file) => `${path}/${file}`);
  // Its tests are in the same folder.
  if (folder === 'config') files.push('tools/build/read-config.ts');
  const code = files.filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'));
  if (share === 1) return code;
  const seed = process.env['LATCHKEY_SEED'] ? readSeed() : drawSeed();
  console.log(`${folder}: LATCHKEY_SEED=${seed} chooses the same files again.`);
  const next = randomNumbers(seed);
  const ranks = new Map(code.map((file) => [file, next()]));
  const rank = (file: string) => ranks.get(file) ?? 0;
  return code.toSorted((one, other) => rank(one) - rank(other)).slice(0, Math.ceil(code.length / share));
}

const scores: string[] = [];
for (const folder of given.length === 0 ? folders : given) {
  // For tests/mutation/vitest.config.ts, in the processes that Stryker starts.
  process.env['LATCHKEY_MUTATED'] = folder;
  const results = await new Stryker({
    configFile: 'tests/mutation/stryker.config.json',
    mutate: [...findFiles(folder)],
    incremental: share === 1,
    incrementalFile: `node_modules/.cache/stryker/${folder.replaceAll('/', '-')}.json`,
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
