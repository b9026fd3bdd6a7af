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

  /** At most nine lines: for each reason the files or, if they are too many, their folders, with `depth` parts at most. */
  #list(tests: readonly TestCase[], depth = 9): string[] {
    const placeOf = (test: TestCase) => fileOf(test).split('/').slice(0, depth).join('/');
    const lines = groupBy(tests, (test) => reasonOf(test) ?? this.#noteless).flatMap(([reason, ofReason]) => {
      const places = groupBy(ofReason, placeOf).map(countIn);
      return places.length === 1
        ? [`   ${reason} ${places.join()}`]
        : [`   ${reason}`, ...places.map((place) => `     ${place}`)];
    });
    if (lines.length <= 9) return lines;
    if (depth > 1) return this.#list(tests, depth - 1);
    return [...lines.slice(0, 8), `   And ${lines.length - 8} more reasons.`];
  }
}

type Group = readonly [key: string, tests: readonly TestCase[]];

/** The largest group comes first. */
function groupBy(tests: readonly TestCase[], keyOf: (test: TestCase) => string): Group[] {
  const keys = [...new Set(tests.map(keyOf))];
  const groups = keys.map((key): Group => [key, tests.filter((test) => keyOf(test) === key)]);
  return groups.toSorted(([, a], [, b]) => b.length - a.length);
}

function countIn([place, tests]: Group): string {
  const files = [...new Set(tests.map(fileOf))];
  return files.length === 1
    ? `${files.join()}: ${tests.length}`
    : `${place}: ${tests.length} in ${files.length} files`;
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
