// `npx tsx tools/providers.ts`: writes the page of each provider and the list of them.

import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FormatConfig } from 'oxfmt';
import { loadProfiles } from './build/profiles.ts';
import { readJson } from './build/read-text.ts';
import { runCommand } from './command.ts';
import { pagesFolder, toPages } from './provider-pages.ts';

const root = resolve(import.meta.dirname, '..');

await runCommand(async () => {
  const style = readJson(resolve(root, '.oxfmtrc.json'), '.oxfmtrc.json') as FormatConfig;
  const pages = await toPages(loadProfiles(), style);
  for (const [file, text] of pages) writeFileSync(resolve(root, pagesFolder, file), text);
  console.log(`${pages.size} files in ${pagesFolder}`);
});
