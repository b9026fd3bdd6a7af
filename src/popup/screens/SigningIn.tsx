// The screen while the sign-in window is open: buttons to show that window, and to cancel.

import type { Command } from '../../session/commands.ts';
import type { SigningIn } from '../../session/view.ts';
import { Hero } from '../components/Hero.tsx';
import { Links } from '../components/Links.tsx';
import { ProviderProgress } from '../components/ProviderTile.tsx';
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
  const button = (command: Command, words: string, look?: string) => (
    <button type="button" className={look} data-action={command.type} onClick={() => send(command)}>
      {words}
    </button>
  );
  return (
    <>
      <Hero
        heading={text(isStepUp ? 'signingIn_confirmTitle' : 'signingIn_title')}
        // The window may still be behind others.
        sentence={isLate ? early + gapAfter(early) + text('signingIn_late') : early}
        mark={<ProviderProgress id={session.providerId} />}
      />
      <div className="actions">
        {button({ type: 'show-window' }, text('signingIn_showWindow'), 'primary')}
        {button({ type: 'cancel' }, text('signingIn_cancel'))}
        {/* Last, so that it doesn't move the other buttons when it appears. */}
        {isLate && button({ type: 'try-again', attempt }, text('tryAgain'), 'plain')}
        <Links text={text} />
      </div>
    </>
  );
}
