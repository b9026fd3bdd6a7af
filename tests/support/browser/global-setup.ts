// Finds the browser that a project is named after, or installs it, before the first test: an installation takes
// longer than a test may.

import type { TestProject } from 'vitest/node';
import { findBrowser, type BrowserName } from '../../../tools/browser/browsers.ts';

declare module 'vitest' {
  interface ProvidedContext {
    browserName: BrowserName;
    executablePath: string;
  }
}

export default async function setup(project: TestProject): Promise<void> {
  const browserName = project.name === 'firefox' ? 'firefox' : 'chrome';
  const log = (line: string) => void process.stderr.write(`${line}\n`);
  project.provide('browserName', browserName);
  project.provide('executablePath', await findBrowser(browserName, { log }));
}
