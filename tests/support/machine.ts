// Tests that not every machine can run. The closing lines of a run count them, and say why: see run-notes.ts.

import type { TestContext } from 'vitest';

/** Services that run tests set `CI`. A machine there can run every test of its system. */
export const isCI = !['', '0', 'false'].includes(process.env['CI'] ?? '');

/**
 * Skips the test if this machine lacks something, which `obstacle` says. With `CI` set, the test fails: there a test that never
 * runs would look like one that passes. A test that does not apply, to this system or to an adopter's copy of the project, uses
 * vitest's own `skip` with a reason.
 */
export function skipIfLacking({ skip }: Pick<TestContext, 'skip'>, obstacle: string | null): void {
  if (obstacle === null) return;
  if (isCI) throw new Error(`This machine cannot run the test, and CI is set. ${obstacle}`);
  skip(obstacle);
}
