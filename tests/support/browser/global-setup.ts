// Runs before the first test of a browser: finds the browser or installs it, which takes longer than a test may, and
// creates the folder of the run. After the last test it removes that folder.

import type { TestProject } from 'vitest/node';
import { findBrowser, type BrowserName } from '../../../tools/browser/browsers.ts';
import { createRunFolder, removeRunFolder } from './run-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    browserName: BrowserName;
    executablePath: string;
    /** The folder for everything that this run writes. */
    runFolder: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const browserName = project.name === 'firefox' ? 'firefox' : 'chrome';
  const log = (line: string) => void process.stderr.write(`${line}\n`);
  project.provide('browserName', browserName);
  project.provide('executablePath', await findBrowser(browserName, { log }));
  const runFolder = await createRunFolder();
  project.provide('runFolder', runFolder);
  return () => removeRunFolder(runFolder);
}
