// The screen while no one is signed in: the last account first, if its provider is still configured, then the others.

import type { Board } from '../../bridge/session/observer.ts';
import type { Command } from '../../session/commands.ts';
import type { AccountHint, SignedOut } from '../../session/session.ts';
import { Contact, Link } from '../components/Contact.tsx';
import { Hero } from '../components/Hero.tsx';
import { cutName, ProviderList } from '../components/ProviderList.tsx';
import { Tile } from '../components/Tile.tsx';
import { toDisplayName } from '../person.ts';
import { providerOf } from '../provider-of.ts';
import { mayHelpToRetry } from '../../session/problem.ts';
import { gapAfter, toManaged, type Text } from '../i18n/text.ts';
import { useText } from '../i18n/use-text.ts';
import { IconButton } from '../views/IconButton.tsx';

/** With more buttons than this, the hero becomes compact. */
const maxButtonsBelowHero = 3;

interface SignedOutProps {
  readonly board: Board;
  readonly session: SignedOut;
}

export function SignedOutHero({ board: { providers }, session }: SignedOutProps) {
  const text = useText();
  const { last, others } = toOptions(session, providers);
  const buttonCount = others.length + (last === null ? 0 : 2);
  return (
    <Hero
      heading={text('extensionName')}
      sentence={toSentence(text, session, last, providers)}
      isCompact={buttonCount > maxButtonsBelowHero}
    />
  );
}

interface SignedOutActionsProps extends SignedOutProps {
  readonly onCommand: (command: Command) => void;
}

export function SignedOutActions({ board, session, onCommand }: SignedOutActionsProps) {
  const text = useText();
  const { providers } = board;
  const { last, others } = toOptions(session, providers);
  // The notice says that it won't help to try again, and offers what does.
  const isFirstChoice = session.problem === null || mayHelpToRetry(session.problem.code);
  return (
    <div className="actions">
      {last !== null && (
        <LastAccount
          account={last}
          providerName={providerOf(providers, last.providerId).name}
          isFirstChoice={isFirstChoice}
          onCommand={onCommand}
        />
      )}
      {others.length > 0 && (
        <ProviderList
          providers={others}
          isFirstChoice={isFirstChoice && last === null}
          onChoose={(providerId) => onCommand({ type: 'sign-in', providerId })}
        />
      )}
      {/* The notice of this problem says more, and what to do. */}
      {providers.length === 0 && session.problem?.code !== 'provider-misconfigured' && (
        <p className="quiet">
          {text('signedOut_noProvider') + gapAfter(text('signedOut_noProvider'))}
          <Contact reason="now" />
        </p>
      )}
      {board.managed && <p className="quiet">{toManaged(text, board.managedBy)}</p>}
      <Links />
    </div>
  );
}

/** The links to the pages that the configuration names. */
function Links() {
  const text = useText();
  const { support, privacyUrl } = text;
  if (support === null && privacyUrl === null) return null;
  return (
    <p className="quiet links">
      {support && <Link url={support.url}>{text('signedOut_help')}</Link>}
      {privacyUrl && <Link url={privacyUrl}>{text('signedOut_privacy')}</Link>}
    </p>
  );
}

/** The last account, if its provider is still configured, and the other providers. */
function toOptions({ lastAccount }: SignedOut, providers: Board['providers']) {
  const last = providers.some(({ id }) => id === lastAccount?.providerId) ? lastAccount : null;
  return { last, others: providers.filter(({ id }) => id !== last?.providerId) };
}

function toSentence(
  text: Text,
  { providerSession }: SignedOut,
  last: AccountHint | null,
  providers: Board['providers'],
): string {
  if (providerSession !== null) {
    const { providerId, status } = providerSession;
    return text(`signedOut_providerSession_${status}`, providerOf(providers, providerId).name);
  }
  return text(last === null ? 'signedOut_invitation' : 'signedOut_welcomeBack');
}

interface LastAccountProps {
  readonly account: AccountHint;
  readonly providerName: string;
  readonly isFirstChoice: boolean;
  readonly onCommand: (command: Command) => void;
}

function LastAccount({ account, providerName, isFirstChoice, onCommand }: LastAccountProps) {
  const text = useText();
  const { providerId, email } = account;
  const name = toDisplayName(account);
  // Read aloud with the button's name, so only if it says more.
  const detail = email === name ? null : email;
  return (
    <>
      <div className="last-account">
        <button
          type="button"
          className={isFirstChoice ? 'primary' : undefined}
          data-provider={providerId}
          title={detail ?? undefined}
          onClick={() => onCommand({ type: 'sign-in', providerId, ...(email !== null && { hint: email }) })}
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
        {/* On a shared device, the next person need not see who was here. */}
        <IconButton
          name={text('signedOut_forgetAccount')}
          data-action="forget-account"
          onClick={() => onCommand({ type: 'sign-out', everywhere: false })}
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
        onClick={() => onCommand({ type: 'use-another-account' })}
      >
        {text('signedOut_anotherAccount')}
      </button>
    </>
  );
}
