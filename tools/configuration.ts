// `npx tsx tools/configuration.ts`: writes the reference of the configuration.

import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FormatConfig } from 'oxfmt';
import { readJson } from './build/read-text.ts';
import { runCommand } from './command.ts';
import { referencePage, toReferencePage } from './configuration-page.ts';

const root = resolve(import.meta.dirname, '..');

await runCommand(async () => {
  const style = readJson(resolve(root, '.oxfmtrc.json'), '.oxfmtrc.json') as FormatConfig;
  writeFileSync(resolve(root, referencePage), await toReferencePage(style));
  console.log(referencePage);
});
