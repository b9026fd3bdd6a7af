// The top of a screen without a user: a mark, a heading, and the text below it. A problem has its own mark, and is its heading.

import { type ReactNode, useId } from 'react';
import { isOutcome, type ProblemCode } from '../../session/problem.ts';
import { usePage } from '../page.ts';

interface HeroProps {
  readonly heading: string;
  /** Below the heading. A screen reader reads it with the heading that gets the focus, and again when it changes. */
  readonly sentence?: ReactNode;
  /** Replaces the extension's mark. */
  readonly mark?: ReactNode;
  /** Puts the mark beside the text, which leaves more space for the buttons. */
  readonly isCompact?: boolean;
  /** The problem that heading and sentence tell. A screen reader announces it at once, unless it's an outcome. */
  readonly problem?: ProblemCode | undefined;
  readonly children?: ReactNode;
}

export function Hero({ heading, sentence, mark, isCompact = false, problem, children }: HeroProps) {
  const id = useId();
  const page = usePage();
  const isAlert = problem !== undefined && !isOutcome(problem);
  const isLive = sentence !== undefined && problem === undefined;
  const ownMark = isAlert ? <AlertMark /> : <img className="mark" src={page.mark} alt="" />;
  return (
    <div className={isCompact ? 'hero compact' : 'hero'}>
      {mark ?? ownMark}
      {/* A new element for each problem, because a screen reader announces an alert that appears. */}
      <div key={problem} role={isAlert ? 'alert' : undefined}>
        <h1 tabIndex={-1} aria-describedby={isLive ? id : undefined}>
          <HeadingWords words={heading} />
        </h1>
        {sentence !== undefined && (
          <p id={id} className="sentence" aria-live={isLive ? 'polite' : undefined}>
            {sentence}
          </p>
        )}
        {children}
      </div>
    </div>
  );
}

/** A sentence as a heading: its full stop is read aloud only, as a pause before the next one. */
export function HeadingWords({ words }: { readonly words: string }) {
  const stop = /[.。]$/u.exec(words)?.[0];
  if (stop === undefined) return words;
  return (
    <>
      {words.slice(0, -1)}
      <span className="stop">{stop}</span>
    </>
  );
}

/** The exclamation mark of a failure. */
export function AlertMark() {
  return <span className="mark alert-mark" aria-hidden="true" />;
}
