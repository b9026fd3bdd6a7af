// The top of a screen without a user: a mark, a heading, and the text below it.

import { type ReactNode, useId } from 'react';

interface HeroProps {
  readonly heading: string;
  /** Below the heading. A screen reader reads it with the heading that gets the focus, and again when it changes. */
  readonly sentence?: ReactNode;
  /** Replaces the extension's mark. */
  readonly mark?: ReactNode;
  /** Puts the mark beside the text, which leaves more space for the buttons. */
  readonly isCompact?: boolean;
  readonly children?: ReactNode;
}

export function Hero({ heading, sentence, mark, isCompact = false, children }: HeroProps) {
  const id = useId();
  return (
    <div className={isCompact ? 'hero compact' : 'hero'}>
      {mark ?? <img className="mark" src="/icons/latchkey.svg" alt="" />}
      <h1 tabIndex={-1} aria-describedby={sentence === undefined ? undefined : id}>
        {heading}
      </h1>
      {sentence !== undefined && (
        <p id={id} className="sentence" aria-live="polite">
          {sentence}
        </p>
      )}
      {children}
    </div>
  );
}
