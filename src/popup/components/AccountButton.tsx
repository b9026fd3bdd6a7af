// The last account as one row: initials, "Continue as …" and the e-mail address.

import { useId } from 'react';
import type { AccountHint } from '../../session/view.ts';
import { useText } from '../page.ts';
import { maxWholeAddress, toAddress } from '../screens/SignedInView.tsx';
import { toDisplayName, toOtherEmail } from '../user.ts';
import { cutName } from './ProviderList.tsx';
import { Tile } from './Tile.tsx';

interface AccountButtonProps {
  readonly account: AccountHint;
  readonly providerName: string;
  readonly isFirstChoice: boolean;
  readonly onChoose: () => void;
}

export function AccountButton({ account, providerName, isFirstChoice, onChoose }: AccountButtonProps) {
  const text = useText();
  const id = useId();
  const name = toDisplayName(account);
  const email = toOtherEmail(account);
  return (
    <button
      type="button"
      className={isFirstChoice ? 'account-row primary' : 'account-row'}
      data-provider={account.providerId}
      // The e-mail address describes the button. Its name is what it does.
      aria-describedby={email === null ? undefined : id}
      onClick={onChoose}
    >
      <Tile name={name ?? providerName} seed={account.subject} shape="round" />
      <span className="lines">
        <span className="label" title={name ?? undefined}>
          {cutName(
            name === null ? text('signedOut_continueWith', providerName) : text('signedOut_continueAs', name),
          )}
        </span>
        {email !== null && (
          <span id={id} className="email" dir="auto" aria-hidden="true">
            {email.length > maxWholeAddress ? toAddress(email) : email}
          </span>
        )}
      </span>
    </button>
  );
}
