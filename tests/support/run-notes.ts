// The lines that a run adds to Vitest's own: its seed, and how many tests it skipped, where and why.

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
    if (this.#isLong)
      this.#vitest.logger.log(` These tests are those that \`npm test\` leaves out, or tries less of.\n`);
    const skipped = findSkipped(modules.flatMap((module) => [...module.children.allTests()]));
    if (skipped.length === 0) return;
    const failed = isCI && this.#isLong ? skipped.filter((test) => reasonOf(test) === undefined) : [];
    const lines = [...this.#list(skipped), ...failed.map((test) => ` FAIL  ${nameOf(test)}`)];
    this.#vitest.logger.log([` Tests not run: ${skipped.length}`, ...lines, ''].join('\n'));
    if (failed.length > 0) process.exitCode = 1;
  }

  /** At most nine lines: one for each file and reason, those with most tests first. */
  #list(tests: readonly TestCase[]): string[] {
    const counts = new Map<string, number>();
    for (const test of tests) {
      const place = `${fileOf(test)}: ${reasonOf(test) ?? this.#noteless}`;
      counts.set(place, (counts.get(place) ?? 0) + 1);
    }
    const lines = [...counts].toSorted(([, one], [, other]) => other - one);
    const shown = lines.length <= 9 ? lines : lines.slice(0, 8);
    const left = lines.slice(shown.length).reduce((sum, [, count]) => sum + count, 0);
    return [
      ...shown.map(([place, count]) => `   ${count} in ${place}`),
      ...(left === 0 ? [] : [`   And ${left} in other files.`]),
    ];
  }
}

/** All skipped tests but those that the other browser has run. A test that neither ran counts once. */
function findSkipped(tests: readonly TestCase[]): TestCase[] {
  const projects = new Set(tests.map(({ project }) => project.name));
  const ran = new Set(tests.filter((test) => test.result().state !== 'skipped').map(nameOf));
  const skipped = tests.filter((test) => {
    if (test.result().state !== 'skipped') return false;
    const isInBrowser = ['chrome', 'firefox'].includes(test.project.name);
    if (reasonOf(test) !== undefined || !isInBrowser) return true;
    // A run of one browser leaves out what belongs to the other.
    return projects.has('chrome') && projects.has('firefox') && !ran.has(nameOf(test));
  });
  return [...new Map(skipped.map((test) => [`${reasonOf(test)} ${nameOf(test)}`, test])).values()];
}

function reasonOf(test: TestCase): string | undefined {
  const result = test.result();
  return result.state === 'skipped' ? result.note || undefined : undefined;
}

function fileOf({ module }: TestCase): string {
  return module.relativeModuleId;
}

function nameOf(test: TestCase): string {
  return `${fileOf(test)} > ${test.fullName}`;
}
