// The lines that a run adds to Vitest's own: its seed, the tests that it skipped, and the claims of documents whose tests it
// skipped although it ran their files.

import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import { isNamed, readClaims } from './claims.ts';
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
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const skipped = findSkipped(tests);
    this.#noteSkipped(skipped);
    this.#noteClaims(tests, skipped);
  }

  #noteClaims(tests: readonly TestCase[], skipped: readonly TestCase[]): void {
    const files = new Set(tests.map(fileOf));
    const unheld = readClaims().filter((claim) => {
      const named = tests.filter((test) => fileOf(test) === claim.file && isNamed(claim, test));
      // A machine that lacks something says so above, and a shorter run leaves some to the longer one.
      const isHeld = named.some(
        (test) => !skipped.includes(test) || reasonOf(test) !== undefined || !this.#isLong,
      );
      return files.has(claim.file) && !isHeld;
    });
    if (unheld.length === 0) return;
    const lines = unheld.map(({ document, file, title }) => `   ${document}: ${file} «${title}»`);
    this.#vitest?.logger.log([' Claims whose test did not run', ...lines, ''].join('\n'));
    process.exitCode = 1;
  }

  #noteSkipped(skipped: readonly TestCase[]): void {
    if (skipped.length === 0) return;
    const reasons = [...new Set(skipped.map(reasonOf))];
    const lines = reasons.flatMap((reason) => [
      `   ${reason ?? this.#noteless}`,
      ...skipped.filter((test) => reasonOf(test) === reason).map((test) => `     ${nameOf(test)}`),
    ]);
    this.#vitest?.logger.log([' Not run', ...lines, ''].join('\n'));
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

const fileOf = ({ module }: TestCase) => relative(process.cwd(), module.moduleId);

function nameOf(test: TestCase): string {
  return `${fileOf(test)} > ${test.fullName}`;
}
