// The remembered accounts, each with a button that removes it, and a line that brings the last one back.

import { useId } from 'react';
import { providerOf, type Board } from '../../bridge/session/board.ts';
import type { AccountHint, SignedOut } from '../../session/view.ts';
import type { Actions } from '../hooks/use-actions.ts';
import { usePicture } from '../hooks/use-picture.ts';
import { useText } from '../page.ts';
import { toDisplayName, toOtherEmail, toUserKey } from '../user.ts';
import { Avatar, toAddress } from './Avatar.tsx';
import { IconButton } from './IconButton.tsx';
import { toSignIn } from './Problem.tsx';
import { cutName } from './ProviderList.tsx';

/** An account that has just been removed, and the place that it had. */
export interface Removed {
  readonly account: AccountHint;
  readonly at: number;
}

/** Always the same function, so that React calls it only for a new button. */
const takeFocus = (button: HTMLElement | null) => button?.focus();

interface AccountsProps extends Pick<Actions, 'send'> {
  readonly board: Board;
  readonly session: SignedOut;
  /** Those of the session that are shown. */
  readonly accounts: readonly AccountHint[];
  /** Whether the first one is the first choice of the screen. */
  readonly isFirstChoice: boolean;
  readonly removed: Removed | null;
  readonly onRemoved: (removed: Removed | null) => void;
}

export function Accounts({
  board,
  session,
  accounts,
  isFirstChoice,
  removed,
  onRemoved,
  send,
}: AccountsProps) {
  const text = useText();
  const isAmongSeveral = accounts.some(({ providerId }) => providerId !== accounts[0]?.providerId);
  const remove = (account: AccountHint) => {
    onRemoved({ account, at: session.accounts.indexOf(account) });
    send({ type: 'forget-account', account });
  };
  const undo = (last: Removed) => {
    onRemoved(null);
    send({ type: 'remember-account', ...last });
  };
  return (
    <>
      {accounts.length > 0 && (
        <ul className="accounts">
          {accounts.map((account, index) => (
            <Account
              key={toUserKey(account)}
              account={account}
              providerName={providerOf(board, account.providerId).name}
              isAmongSeveral={isAmongSeveral}
              isPrimary={isFirstChoice && index === 0}
              isFurther={index > 0}
              onChoose={() => send(toSignIn(account.providerId, account))}
              onRemove={() => remove(account)}
            />
          ))}
        </ul>
      )}
      {/* Always there, because only what changes in such a region is sure to be read aloud. */}
      <div className="quiet links" aria-live="polite">
        {removed && (
          <>
            <span>
              {text('signedOut_removed', toDisplayName(removed.account) ?? removed.account.subject)}
            </span>
            <button
              key={toUserKey(removed.account)}
              type="button"
              data-action="undo"
              ref={takeFocus}
              onClick={() => undo(removed)}
            >
              {text('signedOut_undo')}
            </button>
          </>
        )}
      </div>
    </>
  );
}

interface AccountProps {
  readonly account: AccountHint;
  readonly providerName: string;
  /** Whether the accounts belong to several providers, so that each one names its own. */
  readonly isAmongSeveral: boolean;
  readonly isPrimary: boolean;
  /** Whether its name alone says what the button does, because it follows another account. */
  readonly isFurther: boolean;
  readonly onChoose: () => void;
  readonly onRemove: () => void;
}

/** Picture or initials, name and email address. */
function Account(props: AccountProps) {
  const { account, providerName, isAmongSeveral, isPrimary, isFurther, onChoose, onRemove } = props;
  const text = useText();
  const picture = usePicture();
  const id = useId();
  const name = toDisplayName(account);
  const lines = [toOtherEmail(account), isAmongSeveral && name !== null ? providerName : null].filter(
    (line) => line !== null,
  );
  return (
    <li>
      <button
        type="button"
        className={isPrimary ? 'account-row primary' : 'account-row'}
        data-provider={account.providerId}
        // These lines are the button's description. Its name says what it does.
        aria-describedby={lines.length === 0 ? undefined : id}
        onClick={onChoose}
      >
        <Avatar profile={account} providerName={providerName} picture={picture} />
        <span className="lines">
          <span className="label" title={name ?? undefined} dir={isFurther ? 'auto' : undefined}>
            {name === null
              ? text('signedOut_continueWith', providerName)
              : isFurther
                ? name
                : cutName(text('signedOut_continueAs', name))}
          </span>
          <span id={id} aria-hidden="true">
            {lines.map((line) => (
              <span key={line} className="email" dir="auto">
                {toAddress(line)}
              </span>
            ))}
          </span>
        </span>
      </button>
      <IconButton
        name={text('signedOut_removeAccount', name ?? providerName)}
        data-action="forget-account"
        onClick={onRemove}
      >
        <svg viewBox="0 0 20 20">
          <path d="M3.5 5.5h13M7.5 5V3h5v2M5 5.5l.8 11.5h8.4L15 5.5M8.3 8.8v5M11.7 8.8v5" />
        </svg>
      </IconButton>
    </li>
  );
}
