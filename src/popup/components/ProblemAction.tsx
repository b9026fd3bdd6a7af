// The one thing that a problem leaves to do, and its words: the same wherever a problem is shown.

import type { ReactNode } from 'react';
import type { SessionObserver } from '../../bridge/session/observer.ts';
import type { Command } from '../../session/commands.ts';
import type { Problem } from '../../session/problem.ts';
import { toLoginHint, type AccountHint } from '../../session/view.ts';
import type { Actions } from '../hooks/use-actions.ts';
import { gapAfter, toKeyPart, type Text } from '../i18n/text.ts';
import { useText } from '../page.ts';
import { type Action, problemTable } from '../problem-table.ts';
import { Contact } from './Contact.tsx';
import { ReportButton } from './ProblemDetails.tsx';
import { ShowWindowButton } from './ShowWindowButton.tsx';

interface ProblemActionProps extends Pick<Actions, 'send'> {
  readonly action: Action;
  /** Tries again, also once the browser has allowed it; null if there is nothing to try. */
  readonly again: Command | null;
  /** The text of its button: "Try again" if it's missing. */
  readonly againText?: string;
  /** Asks for another account; null if the user has to choose a provider first. */
  readonly another: Command | null;
  readonly look: 'primary' | 'outlined';
  readonly observer: SessionObserver;
}

export function ProblemAction({
  action,
  again,
  againText,
  another,
  look,
  observer,
  send,
}: ProblemActionProps) {
  const text = useText();
  const button = (name: string, label: string, onClick: () => void) => (
    <button type="button" className={look} data-action={name} onClick={onClick}>
      {label}
    </button>
  );
  switch (action) {
    case 'retry':
      return again && button('try-again', againText ?? text('tryAgain'), () => send(again));
    case 'another-account':
      return another && button('use-another-account', text('signedOut_anotherAccount'), () => send(another));
    case 'allow':
      return button('allow-hosts', text('problem_allowHosts'), () => {
        void observer.allowHosts().then((isAllowed) => isAllowed && again && send(again));
      });
    case 'report':
      return <ReportButton report={observer.report} look={look} />;
    case 'show-window':
      return <ShowWindowButton send={send} />;
    case 'none':
      return null;
  }
}

/** The command that signs the user in, as `account` if it's known. */
export function toSignIn(providerId: string, account?: AccountHint): Command {
  const hint = account && toLoginHint(account);
  return { type: 'sign-in', providerId, ...(hint !== undefined && { hint }) };
}

/** The sentence that says what happened. */
export function toHappened(text: Text, { code }: Problem): string {
  return text(`problem_${toKeyPart(code)}_what_happened`, text('extensionName'));
}

/** The sentences that say what to do. */
export function toAdvice(text: Text, { code, window }: Problem): string {
  const advice = text(`problem_${toKeyPart(code)}_what_to_do`);
  if (window === undefined) return advice;
  const end = window === 'left-open' ? 'problem_windowLeftOpen' : 'problem_windowClosed';
  return advice + gapAfter(advice) + text(end);
}

/** `sentences`, and who helps with this problem if it takes someone. */
export function withContact(sentences: string, { code }: Problem): ReactNode {
  const { contact } = problemTable[code];
  if (contact === undefined || contact === 'persists') return sentences;
  return (
    <>
      {sentences + gapAfter(sentences)}
      <Contact reason={contact} />
    </>
  );
}
