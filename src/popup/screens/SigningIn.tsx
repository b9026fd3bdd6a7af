// The screen while the sign-in window is open: buttons to show that window, and to cancel.

import type { Command } from '../../session/commands.ts';
import type { SigningIn } from '../../session/session.ts';
import { Hero } from '../components/Hero.tsx';
import { ProviderTile } from '../components/ProviderTile.tsx';
import { useIsLate } from '../hooks/use-is-late.ts';
import { useText } from '../i18n/use-text.ts';

/** If no window has appeared after this time, its first page probably hangs. */
const lateAfterMs = 10_000;

interface SigningInHeroProps {
  readonly session: SigningIn;
  readonly providerName: string;
  readonly onTryAgain: () => void;
}

export function SigningInHero({ session, providerName, onTryAgain }: SigningInHeroProps) {
  const text = useText();
  const isLate = useIsLate(session.startedAtMs, lateAfterMs);
  const { apiName } = session;
  const early =
    apiName === undefined
      ? text('signingIn_early', providerName)
      : text('signingIn_confirm', apiName, providerName);
  const progress = (
    <span className="progress">
      <ProviderTile id={session.providerId} name={providerName} />
    </span>
  );
  return (
    <Hero
      heading={text(apiName === undefined ? 'signingIn_title' : 'signingIn_confirmTitle')}
      sentence={isLate ? text('signingIn_late') : early}
      mark={progress}
    >
      {isLate && (
        // In the hero, so that it does not move the other buttons when it appears.
        <button type="button" className="plain" data-action="try-again" onClick={onTryAgain}>
          {text('tryAgain')}
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
        {text('signingIn_showWindow')}
      </button>
      <button type="button" data-action="cancel" onClick={() => onCommand({ type: 'cancel' })}>
        {text('signingIn_cancel')}
      </button>
    </div>
  );
}
