// What a face without a person begins with: a mark, a heading, and what goes below it.

import type { ReactNode } from 'react';

interface HeroProps {
  readonly heading: string;
  /** In place of the extension's mark. */
  readonly mark?: ReactNode;
  /** Leaves its room to what is below. */
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
