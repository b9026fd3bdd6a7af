// The top of a screen without a person: a mark, a heading, and the text below it.

import type { ReactNode } from 'react';

interface HeroProps {
  readonly heading: string;
  /** Replaces the extension's mark. */
  readonly mark?: ReactNode;
  /** Puts the mark beside the text, which leaves more space for the buttons. */
  readonly isCompact?: boolean;
  readonly children: ReactNode;
}

export function Hero({ heading, mark, isCompact = false, children }: HeroProps) {
  return (
    <div className={isCompact ? 'hero compact' : 'hero'}>
      {mark ?? <img className="mark" src="/icons/latchkey.svg" alt="" width="48" height="48" />}
      <h1 tabIndex={-1}>{heading}</h1>
      {children}
    </div>
  );
}
