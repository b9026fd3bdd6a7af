// Prints a line for each trip. `npm run trips` uses it in place of Vitest's own reporter.

import type { Reporter, TestCase } from 'vitest/node';

export default class TripReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { trip } = test.meta();
    if (trip === undefined) return;
    const { files, functions, changesOfFile } = trip;
    const isOver = test.result().state === 'failed' ? ', over its budget' : '';
    process.stdout.write(
      `${test.name}: ${files} files, ${functions} functions, ${changesOfFile} changes of file${isOver}\n`,
    );
  }
}
