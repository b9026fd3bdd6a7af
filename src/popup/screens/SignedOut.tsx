// The screen while no one is signed in. It says what happened, if something did, and has one first choice: what the table of problems
// says, or to sign in. The last account comes before the other providers.

import { type ReactNode, useState } from 'react';
import type { Board, SessionObserver } from '../../bridge/session/observer.ts';
import type { Command } from '../../session/commands.ts';
import { isOutcome, type Problem } from '../../session/problem.ts';
import type { AccountHint, SignedOut } from '../../session/view.ts';
import { AccountButton } from '../components/AccountButton.tsx';
import { Contact } from '../components/Contact.tsx';
import { Hero } from '../components/Hero.tsx';
import { Links } from '../components/Links.tsx';
import { toAdvice, toHappened, toSignIn } from '../components/ProblemCard.tsx';
import { ProblemDetails, ReportButton } from '../components/ProblemDetails.tsx';
import { ProviderList } from '../components/ProviderList.tsx';
import { ShowWindowButton } from '../components/ShowWindowButton.tsx';
import type { Actions } from '../hooks/use-actions.ts';
import { gapAfter, toManaged, type Text } from '../i18n/text.ts';
import { useText } from '../page.ts';
import { type Action, problemTable } from '../problem-table.ts';
import { providerOf } from '../provider-of.ts';
import { toDisplayName } from '../user.ts';

/** With more buttons than this, the hero becomes compact. */
const maxButtonsBelowHero = 3;

interface SignedOutProps extends Pick<Actions, 'send'> {
  readonly board: Board;
  readonly session: SignedOut;
  /** The problem of the session, or of the command that has just been refused. */
  readonly problem: Problem | null;
  readonly observer: SessionObserver;
}

export function SignedOutScreen({ board, session, problem, observer, send }: SignedOutProps) {
  const text = useText();
  const { providers, managed, managedBy } = board;
  const { account, removed, remove, undo } = useLastAccount(board, session, send);
  const [isPressed, setIsPressed] = useState(false);
  // Its provider is no longer offered, so to sign in with another one isn't the same way again.
  const hasMoved = session.lastAccount !== null && account === null;
  const action = toAction(session, problem, hasMoved);
  // The provider that a button can name; null if the user has to choose one.
  const target = account?.providerId ?? (providers.length === 1 ? (providers[0]?.id ?? null) : null);
  const isChoosing = target === null && (isPressed || action === 'another-account');
  const barsSignIn = problem !== null && !hasMoved && problemTable[problem.code].barsSignIn === true;
  const others = providers.filter(({ id }) => id !== account?.providerId);
  const list = account === null && target !== null && barsSignIn ? [] : others;

  const chooseAnother = (providerId: string) => send({ type: 'use-another-account', providerId });
  const goOn: Command | null = target === null ? null : toSignIn(target, account);
  const another = (action === 'retry' || action === 'show-window') && providers.length > 0 && (
    <button
      type="button"
      className="plain"
      data-action="use-another-account"
      aria-pressed={target === null ? isPressed : undefined}
      onClick={() => (target === null ? setIsPressed(!isPressed) : chooseAnother(target))}
    >
      {text('signedOut_anotherAccount')}
    </button>
  );
  return (
    <>
      <Hero
        {...toWords(text, board, session, problem, account, isPressed && target === null)}
        problem={problem?.code}
        isCompact={list.length + (account === null ? 0 : 2) > maxButtonsBelowHero}
      />
      <div className="actions">
        {action === 'another-account' && target !== null && (
          <button
            type="button"
            className="primary"
            data-action="use-another-account"
            onClick={() => chooseAnother(target)}
          >
            {text('signedOut_anotherAccount')}
          </button>
        )}
        <FirstChoice action={action} goOn={goOn} observer={observer} send={send} />
        {account !== null && !barsSignIn && (
          <AccountButton
            account={account}
            providerName={providerOf(providers, account.providerId).name}
            isFirstChoice={action === 'retry'}
            onChoose={() => send(toSignIn(account.providerId, account))}
          />
        )}
        {account !== null && another}
        {account !== null && list.length > 0 && <p className="quiet divider">{text('signedOut_or')}</p>}
        {list.length > 0 && (
          <ProviderList
            providers={list}
            isFirstChoice={action === 'retry' && account === null}
            onChoose={(id) => (isChoosing ? chooseAnother(id) : send(toSignIn(id, null)))}
          />
        )}
        {account === null && another}
        {removed !== null && <Removed account={removed} onUndo={undo} />}
        {managed && <p className="quiet">{toManaged(text, managedBy)}</p>}
        {problem && (
          <ProblemDetails
            problem={problem}
            report={action === 'report' || isOutcome(problem.code) ? undefined : observer.report}
          />
        )}
        <Links>
          {account !== null && (
            <button type="button" data-action="forget-account" onClick={remove}>
              {text('signedOut_removeAccount')}
            </button>
          )}
        </Links>
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

interface Words {
  readonly heading: string;
  readonly sentence: ReactNode;
}

function toWords(
  text: Text,
  { providers }: Board,
  { providerSession }: SignedOut,
  problem: Problem | null,
  account: AccountHint | null,
  isChoosing: boolean,
): Words {
  if (problem !== null) {
    const advice = toAdvice(text, problem);
    const { contact } = problemTable[problem.code];
    const sentence = contact && contact !== 'persists' && (
      <>
        {advice + gapAfter(advice)}
        <Contact reason={contact} />
      </>
    );
    return { heading: toHappened(text, problem), sentence: sentence || advice };
  }
  return {
    heading: text('extensionName'),
    sentence: isChoosing
      ? text('signedOut_chooseOther')
      : providerSession === null
        ? toInvitation(text, providers, account)
        : text(
            `signedOut_providerSession_${providerSession.status}`,
            providerOf(providers, providerSession.providerId).name,
          ),
  };
}

function toInvitation(text: Text, providers: Board['providers'], account: AccountHint | null): ReactNode {
  if (account !== null) return text('signedOut_welcomeBack');
  const [first] = providers;
  if (first !== undefined)
    return providers.length === 1 ? text('signedOut_invitation', first.name) : text('signedOut_choose');
  const noProvider = text('signedOut_noProvider');
  return (
    <>
      {noProvider + gapAfter(noProvider)}
      <Contact reason="now" />
    </>
  );
}

/** The last account, if its provider is still configured. The user can remove it, where another one uses the device next. */
function useLastAccount({ providers }: Board, { lastAccount }: SignedOut, send: Actions['send']) {
  const [last, setLast] = useState<{ readonly account: AccountHint; readonly isBack: boolean } | null>(null);
  // The worker forgets it at once, in case this page closes. Until then this page can show it again.
  const known = lastAccount ?? (last?.isBack ? last.account : null);
  const account = providers.some(({ id }) => id === known?.providerId) ? known : null;
  return {
    account,
    /** The account that has just been removed. */
    removed: lastAccount === null && last !== null && !last.isBack ? last.account : null,
    remove: () => {
      if (account !== null) setLast({ account, isBack: false });
      send({ type: 'sign-out', everywhere: false });
    },
    undo: () => setLast(last && { ...last, isBack: true }),
  };
}

interface FirstChoiceProps extends Pick<Actions, 'send'> {
  readonly action: Action;
  /** Signs in, once the browser allows it. */
  readonly goOn: Command | null;
  readonly observer: SessionObserver;
}

/** The primary button of what is no sign-in. */
function FirstChoice({ action, goOn, observer, send }: FirstChoiceProps) {
  const text = useText();
  switch (action) {
    case 'allow':
      return (
        <button
          type="button"
          className="primary"
          data-action="allow-hosts"
          onClick={() => void observer.allowHosts().then((isAllowed) => isAllowed && goOn && send(goOn))}
        >
          {text('problem_allowHosts')}
        </button>
      );
    case 'report':
      return <ReportButton report={observer.report} look="primary" />;
    case 'show-window':
      return <ShowWindowButton send={send} />;
    default:
      return null;
  }
}

interface RemovedProps {
  readonly account: AccountHint;
  readonly onUndo: () => void;
}

function Removed({ account, onUndo }: RemovedProps) {
  const text = useText();
  return (
    <p className="quiet links">
      <span>{text('signedOut_removed', toDisplayName(account) ?? account.subject)}</span>
      <button type="button" data-action="undo" ref={(button) => button?.focus()} onClick={onUndo}>
        {text('signedOut_undo')}
      </button>
    </p>
  );
}
