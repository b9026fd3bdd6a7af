// `npx tsx tools/providers.ts`: writes the page of each provider and the list of them.

import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FormatConfig } from 'oxfmt';
import { loadProfiles } from './build/profiles.ts';
import { readJson } from './build/read-text.ts';
import { isCommand, runCommand } from './command.ts';
import { pagesFolder, toPages } from './provider-pages.ts';

const root = resolve(import.meta.dirname, '..');

/** Writes the pages into `project`. Returns how many there are. */
export async function writePages(project: string): Promise<number> {
  const style = readJson(resolve(root, '.oxfmtrc.json'), '.oxfmtrc.json') as FormatConfig;
  const pages = await toPages(loadProfiles(), style);
  for (const [file, text] of pages) writeFileSync(resolve(project, pagesFolder, file), text);
  return pages.size;
}

if (isCommand(import.meta.url)) {
  await runCommand(async () => console.log(`${await writePages(root)} files in ${pagesFolder}`));
}
