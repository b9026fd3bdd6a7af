// The order of the test files: what takes longest begins first, so that no processor is idle at the end.

import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Firefox is slower than Chromium. Both are slower than Node. */
const projects = ['firefox', 'chrome'];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not an array's method: it reads how long each file took before
    const byDuration = await super.sort(files);
    const inBrowsers = byDuration.filter(({ project }) => projects.includes(project.name));
    const unit = byDuration.filter(({ project }) => project.name === 'unit');
    const others = byDuration.filter(({ project }) => ![...projects, 'unit'].includes(project.name));
    return [
      ...inBrowsers.toSorted(
        (one, other) => projects.indexOf(one.project.name) - projects.indexOf(other.project.name),
      ),
      ...withDocumentsTogether(unit, this.ctx.config.maxWorkers),
      // A worker serves one project.
      ...others,
    ];
  }
}

/**
 * Gives the files that need a document to one worker, one after another. A worker stops when the next file needs another
 * environment than its own, and starting a document takes a second.
 */
function withDocumentsTogether(files: readonly TestSpecification[], workers: number): TestSpecification[] {
  const [others, inDocuments] = [
    files.filter(({ moduleId }) => !needsDocument(moduleId)),
    files.filter(({ moduleId }) => needsDocument(moduleId)),
  ];
  // They keep the other workers busy meanwhile.
  const longest = others.splice(0, workers - 1);
  return [...longest, ...inDocuments, ...others];
}

function needsDocument(file: string): boolean {
  return /^\/\/ @vitest-environment \S/.test(readFileSync(file, 'utf8'));
}
