// The screen until the board has been read. Its markup equals that of index.html, which has no text, because the
// language is not known before a script runs.

import { useEffect, useEffectEvent } from 'react';
import type { Command } from '../../session/commands.ts';
import { Hero } from '../components/Hero.tsx';
import { useText } from '../i18n/use-text.ts';

/** After this time without a board, send `open` once more, so that a problem of the worker is shown. */
const retryAfterMs = 3_000;

export function StartingScreen({ onCommand }: { readonly onCommand: (command: Command) => void }) {
  const text = useText();
  const openAgain = useEffectEvent(() => onCommand({ type: 'open' }));
  useEffect(() => {
    const timer = setTimeout(openAgain, retryAfterMs);
    return () => clearTimeout(timer);
  }, []);

  return (
    <Hero heading={text.product}>
      <p className="slow">{text.starting.slow}</p>
    </Hero>
  );
}
