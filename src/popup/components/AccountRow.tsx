// A remembered account: picture or initials, name and email address, with a button that removes it.

import { useId } from 'react';
import type { AccountHint } from '../../session/view.ts';
import { usePicture } from '../hooks/use-picture.ts';
import { useText } from '../page.ts';
import { toDisplayName, toOtherEmail } from '../user.ts';
import { Avatar, toAddress } from './Avatar.tsx';
import { IconButton } from './IconButton.tsx';
import { cutName } from './ProviderList.tsx';

interface AccountRowProps {
  readonly account: AccountHint;
  readonly providerName: string;
  /** Whether the accounts belong to several providers, so that each one names its own. */
  readonly isAmongSeveral: boolean;
  /** Whether it is the first choice of the screen. */
  readonly isPrimary: boolean;
  /** Whether its name alone says what the button does, because it follows another account. */
  readonly isFurther: boolean;
  readonly onChoose: () => void;
  readonly onRemove: () => void;
}

export function AccountRow({
  account,
  providerName,
  isAmongSeveral,
  isPrimary,
  isFurther,
  onChoose,
  onRemove,
}: AccountRowProps) {
  const text = useText();
  const picture = usePicture();
  const id = useId();
  const name = toDisplayName(account);
  const email = toOtherEmail(account);
  const lines = [email, isAmongSeveral && name !== null ? providerName : null].filter((one) => one !== null);
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
