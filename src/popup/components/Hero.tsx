// The top of a screen without a user: a mark, a heading, and a sentence. A problem has its own mark, and is its heading.

import type { ReactNode } from 'react';
import { isOutcome, type ProblemCode } from '../../session/problem.ts';
import { usePage } from '../page.ts';

interface HeroProps {
  readonly heading: string;
  /** `h2` below the heading of a user. */
  readonly level?: 'h1' | 'h2';
  /** Below the heading. A screen reader reads it with the heading that gets the focus, and again when it changes. */
  readonly sentence: ReactNode;
  /** Replaces the extension's mark. */
  readonly mark?: ReactNode;
  /** Puts the mark next to the text, which leaves more space for the buttons. */
  readonly isCompact?: boolean;
  /** The problem that heading and sentence tell. A screen reader announces it at once, unless it's an outcome. */
  readonly problem?: ProblemCode | undefined;
}

export function Hero({ heading, level: Heading = 'h1', sentence, mark, isCompact, problem }: HeroProps) {
  const page = usePage();
  const isAlert = problem !== undefined && !isOutcome(problem);
  const id = problem === undefined ? 'sentence' : undefined;
  // Its full stop is read aloud only, as a pause before the sentence.
  const [, words = heading, stop] = /^(.*)([.。])$/u.exec(heading) ?? [];
  return (
    <div className={isCompact ? 'hero compact' : 'hero'}>
      {isAlert ? (
        <span className="mark alert-mark" aria-hidden="true" />
      ) : (
        (mark ?? <img className="mark" src={page.mark} alt="" />)
      )}
      {/* A new element for each problem, because a screen reader announces an alert that appears. */}
      <div key={problem} role={isAlert ? 'alert' : undefined}>
        <Heading tabIndex={-1} aria-describedby={id}>
          {words}
          {stop && <span className="stop">{stop}</span>}
        </Heading>
        <p id={id} aria-live={id && 'polite'}>
          {sentence}
        </p>
      </div>
    </div>
  );
}
