// The screen while the sign-in window is open: buttons to show that window, and to cancel.

import type { SigningIn } from '../../session/view.ts';
import { Hero } from '../components/Hero.tsx';
import { Links } from '../components/Links.tsx';
import { ProviderProgress } from '../components/ProviderTile.tsx';
import { ShowWindowButton } from '../components/ShowWindowButton.tsx';
import type { Actions } from '../hooks/use-actions.ts';
import { useIsLate } from '../hooks/use-is-late.ts';
import { gapAfter } from '../i18n/text.ts';
import { useText } from '../page.ts';

/** If no window has appeared after this time, its first page probably hangs. */
const lateAfterMs = 10_000;

interface WindowScreenProps {
  readonly session: SigningIn;
  readonly providerName: string;
  readonly send: Actions['send'];
}

/** The screen of a sign-in in a window. */
export function WindowScreen({ session, providerName, send }: WindowScreenProps) {
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
    <>
      <Hero
        heading={text(isStepUp ? 'signingIn_confirmTitle' : 'signingIn_title')}
        // The window may still be behind others.
        sentence={isLate ? early + gapAfter(early) + text('signingIn_late') : early}
        mark={<ProviderProgress id={session.providerId} />}
      />
      <div className="actions">
        <ShowWindowButton send={send} />
        <button type="button" data-action="cancel" onClick={() => send({ type: 'cancel' })}>
          {text('signingIn_cancel')}
        </button>
        {isLate && (
          // Last, so that it does not move the other buttons when it appears.
          <button
            type="button"
            className="plain"
            data-action="try-again"
            onClick={() => send({ type: 'try-again', attempt })}
          >
            {text('tryAgain')}
          </button>
        )}
        <Links />
      </div>
    </>
  );
}
