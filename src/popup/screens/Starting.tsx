// Before the board has been read, and while there is none. The same as the page's own markup in index.html.

import { useEffect, useEffectEvent } from 'react';
import type { Command } from '../../session/commands.ts';
import { text } from '../text.ts';

/** After this long without a board the worker is asked once more, so that its problem, if any, is told. */
const patienceMs = 3_000;

export function StartingScreen({ onCommand }: { readonly onCommand: (command: Command) => void }) {
  const askAgain = useEffectEvent(() => onCommand({ type: 'open' }));
  useEffect(() => {
    const timer = setTimeout(askAgain, patienceMs);
    return () => clearTimeout(timer);
  }, []);

  return (
    <div className="hero starting">
      <img className="mark" src="/icons/latchkey.svg" alt="" width="48" height="48" />
      <h1 tabIndex={-1}>{text.product}</h1>
      <p className="slow">{text.starting.slow}</p>
    </div>
  );
}
