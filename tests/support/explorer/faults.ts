// The calls of the worker that go wrong.

import { ProblemError } from '../../../src/session/problem.ts';

/**
 * One write, request or use of the database goes wrong: it isn't done, or it's done and its answer is lost; or it never returns.
 * `keeps failing`: later ones of the same name aren't done.
 */
export interface Fault {
  readonly what:
    | 'fails'
    | 'is done and fails'
    | 'hangs'
    | 'is done and hangs'
    | 'keeps failing'
    | 'is done and keeps failing';
  /** Its number among all of them, from 1. */
  readonly of: number;
}

/** The calls that can fail. */
const mayFail = /^(network|database$|storage\.\w+\.(set|remove)|action\.set)/;

/** A request of the feature. */
export const apiLabel = 'network /things';

/** The calls without which commands are accepted, and a feature's request is answered as long as its access token is good. */
const mayBeDoneWithout = /^(network (?!.things)|action\.|storage\.session\.remove)/;

export class Faults {
  planned: readonly Fault[] = [];
  isDiskFull = false;
  /** The names of the calls that could have failed. */
  readonly calls: string[] = [];
  /** How many calls have gone wrong. After one, a worker may not know what was tried before. */
  failed = 0;
  /** Whether one of them was a call that a command or a feature's request needs. */
  isHampered = false;

  /** How the next call goes wrong; null if it doesn't. */
  next(label: string): Fault['what'] | null {
    if (!mayFail.test(label)) return null;
    this.calls.push(label);
    const isFull = this.isDiskFull && label === 'database';
    const fault = this.planned.find(
      ({ of, what }) =>
        of === this.calls.length ||
        (what.endsWith('keeps failing') && of < this.calls.length && this.calls[of - 1] === label),
    );
    if (fault === undefined && !isFull) return null;
    this.failed += 1;
    this.isHampered ||= !mayBeDoneWithout.test(label);
    if (fault === undefined || fault.of !== this.calls.length) return 'fails';
    if (fault.what.endsWith('keeps failing'))
      return fault.what === 'keeps failing' ? 'fails' : 'is done and fails';
    // Time limits run out together here, so what comes after the first of them isn't seen.
    this.isHampered ||= fault.what.endsWith('hangs');
    // How long an API takes is the feature's business.
    return label === apiLabel && fault.what.endsWith('hangs') ? 'fails' : fault.what;
  }
}

/** The error with which a call rejects. */
export function toFailure(label: string): Error {
  if (label === 'database') return new ProblemError('storage-failed');
  return label.startsWith('network') ? new TypeError('Failed to fetch') : new Error(label);
}
