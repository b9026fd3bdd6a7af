// A sign-in is under way in its own window: the way to that window, and the way back.

import { useEffect, useState } from 'react';
import type { Command } from '../../session/commands.ts';
import type { SigningIn } from '../../session/session.ts';
import { Hero } from '../components/Hero.tsx';
import { Tile } from '../components/Tile.tsx';
import { useText } from '../i18n/use-text.ts';

/** By now the window has come, or its first page hangs and it will not. */
const lateAfterMs = 10_000;

interface SigningInHeroProps {
  readonly session: SigningIn;
  readonly providerName: string;
  readonly onTryAgain: () => void;
}

export function SigningInHero({ session, providerName, onTryAgain }: SigningInHeroProps) {
  const text = useText();
  const isLate = useIsLate(session.startedAtMs);
  const progress = (
    <span className="progress">
      <Tile name={providerName} seed={session.providerId} shape="square" />
    </span>
  );
  return (
    <Hero heading={text.signingIn.title} mark={progress}>
      <p className="sentence" aria-live="polite">
        {isLate ? text.signingIn.late : text.signingIn.early(providerName)}
      </p>
      {isLate && (
        // Up here it moves none of the other buttons.
        <button type="button" className="plain" data-action="try-again" onClick={onTryAgain}>
          {text.signingIn.tryAgain}
        </button>
      )}
    </Hero>
  );
}

export function SigningInActions({ onCommand }: { readonly onCommand: (command: Command) => void }) {
  const text = useText();
  return (
    <div className="actions">
      <button
        type="button"
        className="primary"
        data-action="show-window"
        onClick={() => onCommand({ type: 'show-window' })}
      >
        {text.signingIn.showWindow}
      </button>
      <button type="button" data-action="cancel" onClick={() => onCommand({ type: 'cancel' })}>
        {text.signingIn.cancel}
      </button>
    </div>
  );
}

function useIsLate(startedAtMs: number): boolean {
  const [isLate, setIsLate] = useState(() => toRestMs(startedAtMs) === 0);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), toRestMs(startedAtMs));
    return () => clearTimeout(timer);
  }, [startedAtMs]);
  return isLate;
}

/** Never longer than the whole time, even if the device's clock was set back since. */
function toRestMs(startedAtMs: number): number {
  return Math.min(lateAfterMs, Math.max(0, startedAtMs + lateAfterMs - Date.now()));
}
