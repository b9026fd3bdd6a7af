// Before the board has been read, and while there is none. The same as the page's own markup in index.html, which
// has no words, because it is painted before a script can say in which language.

import { useEffect, useEffectEvent } from 'react';
import type { Command } from '../../session/commands.ts';
import { Hero } from '../components/Hero.tsx';
import { useText } from '../i18n/use-text.ts';

/** After this long without a board the worker is asked once more, so that its problem, if any, is told. */
const patienceMs = 3_000;

export function StartingScreen({ onCommand }: { readonly onCommand: (command: Command) => void }) {
  const text = useText();
  const askAgain = useEffectEvent(() => onCommand({ type: 'open' }));
  useEffect(() => {
    const timer = setTimeout(askAgain, patienceMs);
    return () => clearTimeout(timer);
  }, []);

  return (
    <Hero heading={text.product}>
      <p className="slow">{text.starting.slow}</p>
    </Hero>
  );
}
