// The screen while the sign-in window is open: buttons to show that window, and to cancel.

import type { SigningIn } from '../../session/view.ts';
import { Hero } from '../components/Hero.tsx';
import { ProviderProgress } from '../components/ProviderTile.tsx';
import type { Actions } from '../hooks/use-actions.ts';
import { useIsLate } from '../hooks/use-is-late.ts';
import type { Text } from '../i18n/text.ts';
import { type Screen, useText } from '../page.ts';

/** If no window has appeared after this time, its first page probably hangs. */
const lateAfterMs = 10_000;

/** The screen of a sign-in in a window. */
export function toWindowScreen(
  text: Text,
  session: SigningIn,
  providerName: string,
  { send }: Actions,
): Screen {
  return {
    top: <WindowHero session={session} providerName={providerName} send={send} />,
    bottom: (
      <div className="actions">
        <button
          type="button"
          className="primary"
          data-action="show-window"
          onClick={() => send({ type: 'show-window' })}
        >
          {text('signingIn_showWindow')}
        </button>
        <button type="button" data-action="cancel" onClick={() => send({ type: 'cancel' })}>
          {text('signingIn_cancel')}
        </button>
      </div>
    ),
  };
}

interface WindowHeroProps {
  readonly session: SigningIn;
  readonly providerName: string;
  readonly send: Actions['send'];
}

function WindowHero({ session, providerName, send }: WindowHeroProps) {
  const text = useText();
  const isLate = useIsLate(session.startedAtMs, lateAfterMs);
  const { apiName, attempt, order } = session;
  const isStepUp = order.type === 'step-up' && apiName !== undefined;
  const early = isStepUp
    ? text('signingIn_confirm', apiName, providerName)
    : order.type === 'request-scope'
      ? text('signingIn_scope', apiName ?? providerName, order.scope, providerName)
      : text('signingIn_early', providerName);
  return (
    <Hero
      heading={text(isStepUp ? 'signingIn_confirmTitle' : 'signingIn_title')}
      sentence={isLate ? text('signingIn_late') : early}
      mark={<ProviderProgress id={session.providerId} name={providerName} />}
    >
      {isLate && (
        // In the hero, so that it does not move the other buttons when it appears.
        <button
          type="button"
          className="plain"
          data-action="try-again"
          onClick={() => send({ type: 'try-again', attempt })}
        >
          {text('tryAgain')}
        </button>
      )}
    </Hero>
  );
}
