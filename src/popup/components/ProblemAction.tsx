// The first choice for a problem, and its words: the same wherever the problem is shown.

import type { ReactNode } from 'react';
import type { Command } from '../../session/commands.ts';
import type { Problem } from '../../session/problem.ts';
import { toLoginHint, type AccountHint } from '../../session/view.ts';
import type { Actions } from '../hooks/use-actions.ts';
import { gapAfter, toKeyPart, type Text } from '../i18n/text.ts';
import { useText } from '../page.ts';
import type { Action } from '../problem-table.ts';
import { CommandButton } from './CommandButton.tsx';
import { Contact, type ContactReason } from './Contact.tsx';
import { ReportButton } from './ProblemDetails.tsx';

interface ProblemActionProps {
  readonly action: Action;
  /** Tries again, also once the browser has allowed it; undefined if there is nothing to try. */
  readonly again: Command | undefined;
  /** The text of its button: "Try again" if it's missing. */
  readonly againText?: string;
  /** Asks for another account; undefined if the user has to choose a provider first. */
  readonly another: Command | undefined;
  readonly look: 'primary' | 'outlined';
  readonly actions: Actions;
}

export function ProblemAction({
  action,
  again,
  againText,
  another,
  look,
  actions: { observer, send },
}: ProblemActionProps) {
  const text = useText();
  const button = (command: Command | undefined, words: string, name?: string) =>
    command && (
      <CommandButton command={command} action={name} look={look} send={send}>
        {words}
      </CommandButton>
    );
  switch (action) {
    case 'retry':
      return button(again, againText ?? text('tryAgain'), 'try-again');
    case 'another-account':
      return button(another, text('signedOut_anotherAccount'));
    case 'show-window':
      return button({ type: 'show-window' }, text('signingIn_showWindow'));
    case 'allow': {
      const allow = async () => {
        if ((await observer.allowHosts()) && again) send(again);
      };
      return (
        <button type="button" className={look} data-action="allow-hosts" onClick={() => void allow()}>
          {text('problem_allowHosts')}
        </button>
      );
    }
    case 'report':
      return <ReportButton report={observer.report} look={look} />;
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

/** `sentences`, and who helps if trying again won't. */
export function withContact(sentences: string, reason: ContactReason | undefined): ReactNode {
  if (reason === undefined || reason === 'persists') return sentences;
  return (
    <>
      {sentences + gapAfter(sentences)}
      <Contact reason={reason} />
    </>
  );
}
