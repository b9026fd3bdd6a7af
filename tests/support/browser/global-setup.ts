// Before the first test of a browser: finds the browser or installs it, which takes longer than a test may, and makes
// a folder for the builds that the tests share.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { findBrowser, type BrowserName } from '../../../tools/browser/browsers.ts';

declare module 'vitest' {
  interface ProvidedContext {
    browserName: BrowserName;
    executablePath: string;
    buildsFolder: string;
    /** The first of the ports that tests take by preference, so that they can share builds. */
    firstPort: number;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const browserName = project.name === 'firefox' ? 'firefox' : 'chrome';
  const log = (line: string) => void process.stderr.write(`${line}\n`);
  const buildsFolder = await mkdtemp(join(tmpdir(), 'latchkey-builds-'));
  project.provide('browserName', browserName);
  project.provide('executablePath', await findBrowser(browserName, { log }));
  project.provide('buildsFolder', buildsFolder);
  // Below the ports that systems give to outgoing connections.
  project.provide('firstPort', 20_000 + 100 * Math.floor(Math.random() * 100));
  return () => rm(buildsFolder, { recursive: true, force: true });
}
