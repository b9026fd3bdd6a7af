// Lists the bytes of the worker's and the popup's JavaScript by module: how many come from it, and how many fewer the
// compressed script would have without them.
// To run it: `node --import tsx tools/bench/bundle.ts`

import { runCommand } from '../command.ts';
import { findPopupEntries, findWorkerEntries } from '../../tests/support/loaded-scripts.ts';
import { makeBenchFolder } from './scene.ts';
import { buildTraced, readTraced, weighTraced } from './sizes.ts';

await runCommand(async (onStop) => {
  const folder = await makeBenchFolder(onStop);
  await buildTraced(folder);
  await list(folder, 'the worker', await findWorkerEntries(folder));
  await list(folder, 'the popup', await findPopupEntries(folder));
});

async function list(folder: string, name: string, entries: readonly string[]): Promise<void> {
  const rows: (readonly [source: string, bytes: number, gzipped: number])[] = [];
  for (const script of await readTraced(folder, entries)) {
    const { path, code, sources } = script;
    const whole = weighTraced(script, () => true);
    rows.push([`= ${path}`, code.length, whole]);
    for (const source of new Set(sources)) {
      const bytes = sources.filter((one) => one === source).length;
      rows.push([source, bytes, whole - weighTraced(script, (one) => one !== source)]);
    }
  }
  write([name, 'bytes', 'gzipped']);
  for (const row of rows.toSorted(([, , one], [, , other]) => other - one)) write(row);
}

function write([name, bytes, gzipped]: readonly [string, number | string, number | string]): void {
  process.stdout.write(`${name.padEnd(52)}${String(bytes).padStart(8)}${String(gzipped).padStart(9)}\n`);
}
