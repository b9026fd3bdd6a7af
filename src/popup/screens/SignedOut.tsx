// The screen while no one is signed in. It says what happened, if something did, and has one first choice: what the table of problems
// says, or to sign in. The remembered accounts come before the providers.

import { type ReactNode, useState } from 'react';
import type { Board, SessionObserver } from '../../bridge/session/observer.ts';
import { isOutcome, type Problem } from '../../session/problem.ts';
import { isSameUser, type AccountHint, type SignedOut } from '../../session/view.ts';
import { AccountRow } from '../components/AccountRow.tsx';
import { Contact } from '../components/Contact.tsx';
import { Hero } from '../components/Hero.tsx';
import { Links } from '../components/Links.tsx';
import { ProblemAction, toAdvice, toHappened, toSignIn, withContact } from '../components/ProblemAction.tsx';
import { ProblemDetails } from '../components/ProblemDetails.tsx';
import { ProviderList } from '../components/ProviderList.tsx';
import type { Actions } from '../hooks/use-actions.ts';
import { gapAfter, toManaged, type Text } from '../i18n/text.ts';
import { useText } from '../page.ts';
import { type Action, problemTable } from '../problem-table.ts';
import { providerOf } from '../provider-of.ts';
import { toDisplayName } from '../user.ts';

/** With more buttons than this, the hero becomes compact. An account is higher. */
const [maxProvidersBelowHero, maxAccountsBelowHero] = [3, 2];

/** An account that has just been removed, and the place that it had. */
interface Removed {
  readonly account: AccountHint;
  readonly at: number;
}

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
  const isOffered = ({ providerId }: AccountHint) => providers.some(({ id }) => id === providerId);
  const known = session.accounts.filter(isOffered);
  const [isPressed, setIsPressed] = useState(false);
  const [removed, setRemoved] = useState<Removed | null>(null);
  const isGone = removed !== null && !session.accounts.some((one) => isSameUser(one, removed.account));
  // The provider of the last account is no longer offered, so to sign in with another one isn't the same way again.
  const hasMoved = !session.accounts.slice(0, 1).every(isOffered);
  const action = toAction(session, problem, hasMoved);
  // The provider that a button can name; null if the user has to choose one.
  const target = known[0]?.providerId ?? (providers.length === 1 ? (providers[0]?.id ?? null) : null);
  const isBarred = problem !== null && !hasMoved && problemTable[problem.code].barsSignIn === true;
  const accounts = isBarred || isPressed ? [] : known;
  const list =
    accounts.length > 0
      ? []
      : isBarred && target !== null
        ? providers.filter(({ id }) => id !== target)
        : providers;
  const isChoosing = isPressed || (action === 'another-account' && target === null);

  const another = (providerId: string) => ({ type: 'use-another-account', providerId }) as const;
  const [only, ...others] = providers;
  return (
    <>
      <Hero
        {...toWords(text, board, session, problem, accounts.length > 0, isPressed)}
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
            again={target === null ? null : toSignIn(target, known[0])}
            another={target === null ? null : another(target)}
            look="primary"
            observer={observer}
            send={send}
          />
        )}
        <Accounts
          accounts={accounts}
          providers={providers}
          isFirstChoice={action === 'retry'}
          onRemove={(account) => {
            setRemoved({ account, at: session.accounts.indexOf(account) });
            send({ type: 'forget-account', account });
          }}
          send={send}
        />
        {isGone && (
          <RemovedLine
            key={removed.account.subject}
            account={removed.account}
            onUndo={() => {
              setRemoved(null);
              send({ type: 'remember-account', ...removed });
            }}
          />
        )}
        {list.length > 0 && (
          <ProviderList
            providers={list}
            lastId={session.lastProviderId}
            isFirstChoice={action === 'retry'}
            onChoose={(id) => send(isChoosing ? another(id) : toSignIn(id))}
          />
        )}
        {(action === 'retry' || action === 'show-window') && only !== undefined && (
          <button
            type="button"
            className="plain"
            data-action="use-another-account"
            onClick={() => (others.length > 0 ? setIsPressed(!isPressed) : send(another(only.id)))}
          >
            {text(isPressed ? 'signedOut_back' : 'signedOut_anotherAccount')}
          </button>
        )}
        {managed && <p className="quiet">{toManaged(text, managedBy)}</p>}
        {problem && (
          <ProblemDetails
            problem={problem}
            report={action === 'report' || isOutcome(problem.code) ? undefined : observer.report}
          />
        )}
        <Links />
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
  hasAccounts: boolean,
  isPressed: boolean,
): Words {
  if (problem !== null)
    return { heading: toHappened(text, problem), sentence: withContact(toAdvice(text, problem), problem) };
  return {
    heading: text('extensionName'),
    sentence: isPressed
      ? text('signedOut_chooseOther')
      : providerSession === null
        ? toInvitation(text, providers, hasAccounts)
        : text(
            `signedOut_providerSession_${providerSession.status}`,
            providerOf(providers, providerSession.providerId).name,
          ),
  };
}

function toInvitation(text: Text, providers: Board['providers'], hasAccounts: boolean): ReactNode {
  if (hasAccounts) return text('signedOut_chooseAccount');
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

interface AccountsProps extends Pick<Actions, 'send'> {
  readonly accounts: readonly AccountHint[];
  readonly providers: Board['providers'];
  readonly isFirstChoice: boolean;
  readonly onRemove: (account: AccountHint) => void;
}

function Accounts({ accounts, providers, isFirstChoice, onRemove, send }: AccountsProps) {
  if (accounts.length === 0) return null;
  const isAmongSeveral = accounts.some(({ providerId }) => providerId !== accounts[0]?.providerId);
  return (
    <ul className="accounts">
      {accounts.map((account, index) => (
        <AccountRow
          key={JSON.stringify([account.providerId, account.issuer, account.subject])}
          account={account}
          providerName={providerOf(providers, account.providerId).name}
          isAmongSeveral={isAmongSeveral}
          isPrimary={isFirstChoice && index === 0}
          isFurther={index > 0}
          onChoose={() => send(toSignIn(account.providerId, account))}
          onRemove={() => onRemove(account)}
        />
      ))}
    </ul>
  );
}

/** Always the same function, so that React calls it only for a new button. */
const takeFocus = (button: HTMLElement | null) => button?.focus();

interface RemovedLineProps {
  readonly account: AccountHint;
  readonly onUndo: () => void;
}

/** Says that the account has been removed, with a button that brings it back. */
function RemovedLine({ account, onUndo }: RemovedLineProps) {
  const text = useText();
  return (
    <p className="quiet links">
      <span>{text('signedOut_removed', toDisplayName(account) ?? account.subject)}</span>
      <button type="button" data-action="undo" ref={takeFocus} onClick={onUndo}>
        {text('signedOut_undo')}
      </button>
    </p>
  );
}
