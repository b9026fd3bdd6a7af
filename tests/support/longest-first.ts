// The order of the test files: what takes longest begins first, so that no processor is idle at the end.

import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Firefox is slower than Chromium, and both are slower than Node. */
const projects = ['firefox', 'chrome', 'unit'];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not an array's method: it reads how long each file took before
    const byDuration = await super.sort(files);
    return byDuration.toSorted((one, other) => rank(one) - rank(other));
  }
}

function rank({ moduleId, project }: TestSpecification): number {
  // Nearly all of it is one wait, so it begins first; but not in both browsers at once, which would leave processors idle.
  const isWait = moduleId.includes('slow-response');
  return projects.indexOf(project.name) - (isWait ? 0.5 : 0);
}
