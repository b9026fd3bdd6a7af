// The screen while no one is signed in: the last account first, if its provider is still configured, then the others.

import type { Board } from '../../bridge/session/observer.ts';
import { mayHelpToRetry } from '../../session/problem.ts';
import { toLoginHint, type AccountHint, type SignedOut } from '../../session/view.ts';
import { Contact, Link } from '../components/Contact.tsx';
import { Hero } from '../components/Hero.tsx';
import { cutName, ProviderList } from '../components/ProviderList.tsx';
import { Tile } from '../components/Tile.tsx';
import type { Actions } from '../hooks/use-actions.ts';
import { gapAfter, toManaged, type Text } from '../i18n/text.ts';
import { type Screen, useText } from '../page.ts';
import { toDisplayName, toOtherEmail } from '../user.ts';
import { providerOf } from '../provider-of.ts';
import { IconButton } from '../components/IconButton.tsx';

/** With more buttons than this, the hero becomes compact. */
const maxButtonsBelowHero = 3;

export function toSignedOutScreen(
  text: Text,
  { providers, managed, managedBy }: Board,
  { lastAccount, problem, providerSession }: SignedOut,
  send: Actions['send'],
): Screen {
  const last = providers.some(({ id }) => id === lastAccount?.providerId) ? lastAccount : null;
  const others = providers.filter(({ id }) => id !== last?.providerId);
  const buttonCount = others.length + (last === null ? 0 : 2);
  // The notice says that it won't help to try again, and offers what does.
  const isFirstChoice = problem === null || mayHelpToRetry(problem.code);
  const noProvider = text('signedOut_noProvider');
  const { support, privacyUrl } = text;
  return {
    top: (
      <Hero
        heading={text('extensionName')}
        sentence={
          providerSession === null
            ? text(last === null ? 'signedOut_invitation' : 'signedOut_welcomeBack')
            : text(
                `signedOut_providerSession_${providerSession.status}`,
                providerOf(providers, providerSession.providerId).name,
              )
        }
        isCompact={buttonCount > maxButtonsBelowHero}
      />
    ),
    bottom: (
      <div className="actions">
        {last !== null && (
          <LastAccount
            account={last}
            providerName={providerOf(providers, last.providerId).name}
            isFirstChoice={isFirstChoice}
            send={send}
          />
        )}
        {others.length > 0 && (
          <ProviderList
            providers={others}
            isFirstChoice={isFirstChoice && last === null}
            onChoose={(providerId) => send({ type: 'sign-in', providerId })}
          />
        )}
        {/* The notice of this problem says more, and what to do. */}
        {providers.length === 0 && problem?.code !== 'provider-misconfigured' && (
          <p className="quiet">
            {noProvider + gapAfter(noProvider)}
            <Contact reason="now" />
          </p>
        )}
        {managed && <p className="quiet">{toManaged(text, managedBy)}</p>}
        {(support ?? privacyUrl) !== null && (
          <p className="quiet links">
            {support && <Link url={support.url}>{text('signedOut_help')}</Link>}
            {privacyUrl && <Link url={privacyUrl}>{text('signedOut_privacy')}</Link>}
          </p>
        )}
      </div>
    ),
  };
}

interface LastAccountProps extends Pick<Actions, 'send'> {
  readonly account: AccountHint;
  readonly providerName: string;
  readonly isFirstChoice: boolean;
}

function LastAccount({ account, providerName, isFirstChoice, send }: LastAccountProps) {
  const text = useText();
  const { providerId } = account;
  const hint = toLoginHint(account);
  const name = toDisplayName(account);
  // Read aloud with the button's name, so only if it says more.
  const detail = toOtherEmail(account);
  return (
    <>
      <div className="last-account">
        <button
          type="button"
          className={isFirstChoice ? 'primary' : undefined}
          data-provider={providerId}
          title={detail ?? undefined}
          onClick={() => send({ type: 'sign-in', providerId, ...(hint !== undefined && { hint }) })}
        >
          <Tile name={name ?? providerName} seed={account.subject} shape="round" />
          <span className="label" title={detail === null ? (name ?? undefined) : undefined}>
            {cutName(
              name === null
                ? text('signedOut_continueWith', providerName)
                : text('signedOut_continueAs', name),
            )}
          </span>
        </button>
        {/* On a shared device, the next user need not see who was here. */}
        <IconButton
          name={text('signedOut_forgetAccount')}
          data-action="forget-account"
          onClick={() => send({ type: 'sign-out', everywhere: false })}
        >
          <svg viewBox="0 0 20 20">
            <path d="M6 6l8 8M14 6l-8 8" />
          </svg>
        </IconButton>
      </div>
      <button
        type="button"
        className="plain"
        data-action="use-another-account"
        onClick={() => send({ type: 'use-another-account' })}
      >
        {text('signedOut_anotherAccount')}
      </button>
    </>
  );
}
