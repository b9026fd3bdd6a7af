// The screen while no one is signed in. It says what happened, if something did, and has one first choice: what the table of problems
// says, or to sign in. The remembered accounts come before the providers.

import { type ReactNode, useState } from 'react';
import { providerOf, type Board } from '../../bridge/session/board.ts';
import { isOutcome, type Problem } from '../../session/problem.ts';
import { isSameUser, type AccountHint, type SignedOut } from '../../session/view.ts';
import { Accounts, type Removed } from '../components/Accounts.tsx';
import { Hero } from '../components/Hero.tsx';
import { Links } from '../components/Links.tsx';
import {
  ProblemAction,
  ProblemDetails,
  toAdvice,
  toHappened,
  toSignIn,
  withContact,
} from '../components/Problem.tsx';
import { ProviderList } from '../components/ProviderList.tsx';
import type { Actions } from '../hooks/use-actions.ts';
import { toManaged, type Text } from '../i18n/text.ts';
import { useText } from '../page.ts';
import { type Action, problemTable } from '../problem-table.ts';

/** With more buttons than this, the hero becomes compact. An account is higher. */
const [maxProvidersBelowHero, maxAccountsBelowHero] = [3, 2];

interface SignedOutProps {
  readonly board: Board;
  readonly session: SignedOut;
  /** The problem of the session, or of the command that has just been refused. */
  readonly problem: Problem | null;
  readonly actions: Actions;
}

export function SignedOutScreen({ board, session, problem, actions }: SignedOutProps) {
  const { send } = actions;
  const text = useText();
  const { providers, managed, managedBy } = board;
  const isOffered = ({ providerId }: AccountHint) => providers.some(({ id }) => id === providerId);
  const known = session.accounts.filter(isOffered);
  const [isPressed, setIsPressed] = useState(false);
  const [removed, setRemoved] = useState<Removed | null>(null);
  const isGone = removed !== null && !session.accounts.some((one) => isSameUser(one, removed.account));
  // The provider of the last account is no longer offered, so signing in with a different one isn't a retry.
  const hasMoved = !session.accounts.slice(0, 1).every(isOffered);
  const action = toAction(session, problem, hasMoved);
  // The provider that a button can name; undefined if the user has to choose one.
  const [first, second] = providers;
  const target = known[0]?.providerId ?? (second === undefined ? first?.id : undefined);
  const isBarred = problem !== null && !hasMoved && problemTable[problem.code].barsSignIn === true;
  const accounts = isBarred || isPressed ? [] : known;
  const list =
    accounts.length > 0
      ? []
      : isBarred && target !== undefined
        ? providers.filter(({ id }) => id !== target)
        : providers;
  const isChoosing = isPressed || (action === 'another-account' && target === undefined);

  const another = (providerId: string) => ({ type: 'use-another-account', providerId }) as const;
  return (
    <>
      <Hero
        heading={problem ? toHappened(text, problem) : text('extensionName')}
        sentence={
          problem
            ? withContact(toAdvice(text, problem), problemTable[problem.code].contact)
            : isPressed
              ? text('signedOut_chooseOther')
              : toSentence(text, board, session, accounts.length > 0)
        }
        problem={problem?.code}
        // It doesn't move when an account is removed.
        isCompact={
          list.length > maxProvidersBelowHero || accounts.length + Number(isGone) > maxAccountsBelowHero
        }
      />
      <div className="actions">
        {action !== 'retry' && (
          <ProblemAction
            action={action}
            again={target === undefined ? target : toSignIn(target, known[0])}
            another={target === undefined ? target : another(target)}
            look="primary"
            actions={actions}
          />
        )}
        <Accounts
          board={board}
          session={session}
          accounts={accounts}
          isFirstChoice={action === 'retry'}
          removed={isGone ? removed : null}
          onRemoved={setRemoved}
          send={send}
        />
        {list.length > 0 && (
          <ProviderList
            providers={list}
            lastId={session.lastProviderId}
            isFirstChoice={action === 'retry'}
            onChoose={(id) => send(isChoosing ? another(id) : toSignIn(id))}
          />
        )}
        {(action === 'retry' || action === 'show-window') && first !== undefined && (
          <button
            type="button"
            className="plain"
            data-action="use-another-account"
            onClick={() => (second === undefined ? send(another(first.id)) : setIsPressed(!isPressed))}
          >
            {text(isPressed ? 'signedOut_back' : 'signedOut_anotherAccount')}
          </button>
        )}
        {managed && <p className="quiet">{toManaged(text, managedBy)}</p>}
        {problem && (
          <ProblemDetails
            problem={problem}
            report={action === 'report' || isOutcome(problem.code) ? undefined : actions.observer.report}
          />
        )}
        <Links text={text} />
      </div>
    </>
  );
}

/** The first choice: what the problem needs, or to finish in the window of a sign-out, or to sign in. */
function toAction({ providerSession }: SignedOut, problem: Problem | null, hasMoved: boolean): Action {
  const action = problem && problemTable[problem.code].action;
  if (action !== null) return action === 'another-account' && hasMoved ? 'retry' : action;
  return providerSession?.status === 'ending' ? 'show-window' : 'retry';
}

function toSentence(
  text: Text,
  board: Board,
  { providerSession }: SignedOut,
  hasAccounts: boolean,
): ReactNode {
  if (providerSession !== null) {
    const { name } = providerOf(board, providerSession.providerId);
    return text(`signedOut_providerSession_${providerSession.status}`, name);
  }
  if (hasAccounts) return text('signedOut_chooseAccount');
  const [first, second] = board.providers;
  if (first === undefined) return withContact(text('signedOut_noProvider'), 'now');
  return second === undefined ? text('signedOut_invitation', first.name) : text('signedOut_choose');
}
