// The lines that a run adds to Vitest's own: its seed, and the tests that it skipped.

import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import { isCI } from './machine.ts';

export class RunNotes implements Reporter {
  #vitest: Vitest | null = null;
  readonly #seed: number;
  readonly #noteless: string;
  readonly #isLong: boolean;

  constructor({ seed, isLong }: { readonly seed: number; readonly isLong: boolean }) {
    this.#seed = seed;
    this.#isLong = isLong;
    this.#noteless = isLong
      ? 'No reason is given, which is a failure with CI set. Call `skip` with a reason.'
      : '`npm run test:long` runs them.';
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    vitest.logger.log(` Seed ${this.#seed}. LATCHKEY_SEED=${this.#seed} repeats it.\n`);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    // With a name given, vitest skips all other tests.
    if (this.#vitest === null || this.#vitest.config.testNamePattern !== undefined) return;
    const skipped = findSkipped(modules.flatMap((module) => [...module.children.allTests()]));
    if (skipped.length === 0) return;
    const reasons = [...new Set(skipped.map(reasonOf))];
    const lines = reasons.flatMap((reason) => [
      `   ${reason ?? this.#noteless}`,
      ...skipped.filter((test) => reasonOf(test) === reason).map((test) => `     ${nameOf(test)}`),
    ]);
    this.#vitest.logger.log([' Not run', ...lines, ''].join('\n'));
    if (isCI && this.#isLong && reasons.includes(undefined)) process.exitCode = 1;
  }
}

/** All skipped tests but those that the other browser has run. */
function findSkipped(tests: readonly TestCase[]): TestCase[] {
  const projects = new Set(tests.map(({ project }) => project.name));
  const ran = new Set(tests.filter((test) => test.result().state !== 'skipped').map(nameOf));
  return tests.filter((test) => {
    if (test.result().state !== 'skipped') return false;
    const isInBrowser = ['chrome', 'firefox'].includes(test.project.name);
    if (reasonOf(test) !== undefined || !isInBrowser) return true;
    // A run of one browser leaves out what belongs to the other.
    return projects.has('chrome') && projects.has('firefox') && !ran.has(nameOf(test));
  });
}

function reasonOf(test: TestCase): string | undefined {
  const result = test.result();
  return result.state === 'skipped' ? result.note || undefined : undefined;
}

function nameOf({ module, fullName }: TestCase): string {
  return `${relative(process.cwd(), module.moduleId)} > ${fullName}`;
}
