// The screen until the board has been read. Its markup equals that of index.html, which has no text, because the
// language isn't known before a script runs.

import { useEffect, useEffectEvent } from 'react';
import type { Problem } from '../../session/problem.ts';
import { Hero } from '../components/Hero.tsx';
import { ProblemDetails, toAdvice, toHappened } from '../components/Problem.tsx';
import type { Actions } from '../hooks/use-actions.ts';
import { useIsLate } from '../hooks/use-is-late.ts';
import { useText } from '../page.ts';

/** After this time without a board, show the mark. Loading the picture earlier would delay the first paint. */
const markAfterMs = 150;

/** After this time without a board, send `open` once more, so that a problem of the worker is shown. */
const retryAfterMs = 3_000;

/** After this time without a board, something is wrong. */
const slowAfterMs = 6_000;

interface StartingProps {
  readonly openedAtMs: number;
  /** The problem with which the worker, or what should reach it, has responded. */
  readonly problem: Problem | null;
  readonly actions: Actions;
}

export function StartingScreen({ openedAtMs, problem, actions }: StartingProps) {
  const text = useText();
  const hasMark = useIsLate(openedAtMs, markAfterMs);
  const isSlow = useIsLate(openedAtMs, slowAfterMs);
  const openAgain = useEffectEvent(() => actions.send({ type: 'open' }));
  useEffect(() => {
    const timer = setTimeout(openAgain, retryAfterMs);
    return () => clearTimeout(timer);
  }, []);

  if (problem !== null)
    return (
      <>
        <Hero heading={toHappened(text, problem)} sentence={toAdvice(text, problem)} problem={problem.code} />
        <div className="actions">
          <ProblemDetails problem={problem} report={actions.observer.report} />
        </div>
      </>
    );
  return (
    <Hero
      heading={text('extensionName')}
      sentence={isSlow && text('starting_slow', text('extensionName'))}
      mark={hasMark ? undefined : <span className="mark" />}
    />
  );
}
