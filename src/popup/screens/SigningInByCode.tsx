// The screen of a sign-in by the device flow: the user code, how long it lasts, and buttons to copy it, to open the
// provider's page and to cancel. A build without the device flow doesn't contain it.

import styles from './signing-in-by-code.css?inline';
import { Fragment, type ReactNode, useEffect, useInsertionEffect, useState } from 'react';
import type { DeviceCode } from '../../session/view.ts';
import { CopyButton } from '../components/CopyButton.tsx';
import { Hero } from '../components/Hero.tsx';
import { Links } from '../components/Links.tsx';
import { ProviderProgress } from '../components/ProviderTile.tsx';
import { type Page, useText } from '../page.ts';

export const CodeScreen: Page['CodeScreen'] = ({ session: { providerId, device }, send }) => {
  const text = useText();
  useInsertionEffect(addStyles, []);
  return (
    <>
      <div className="code-top">
        <Hero
          heading={text('signingIn_title')}
          sentence={device ? <CodeSentence device={device} /> : text('signingIn_codePending')}
          mark={<ProviderProgress id={providerId} />}
          isCompact
        />
        {/* There from the start, so that the buttons keep their places. */}
        <div className="user-code">{device && <Code device={device} />}</div>
      </div>
      <div className="actions">
        {device && (
          <button
            type="button"
            className="primary"
            data-action="open-provider-page"
            onClick={() => window.open(device.verificationUri, '_blank', 'noopener,noreferrer')}
          >
            {text('signingIn_openPage')}
          </button>
        )}
        <button type="button" data-action="cancel" onClick={() => send({ type: 'cancel' })}>
          {text('signingIn_cancel')}
        </button>
        <Links text={text} />
      </div>
    </>
  );
};

/** Not imported as a file, because a bundler would keep these styles even in a build without this module. */
function addStyles(): void {
  if (sheet !== null) return;
  sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
}

let sheet: CSSStyleSheet | null = null;

interface CodeProps {
  readonly device: DeviceCode;
}

/** Says where to enter the code. A screen reader also reads the code, because the sentence is announced when it appears. */
function CodeSentence({ device: { userCode, verificationUri } }: CodeProps) {
  const text = useText();
  // The host as a user compares it with an address bar: with the port if it isn't the usual one.
  const { host } = new URL(verificationUri);
  return (
    <>
      {breakAtDots(text('signingIn_code', host), host)}
      {/* Character by character. A word would be hard to type from. */}
      <span className="visually-hidden" dir="ltr">
        {` ${Array.from(userCode).join(' ')}`}
      </span>
    </>
  );
}

/** A longer host may not fit on a line. */
const maxWholeHost = 24;

/** The sentence, in which a long host may break after its dots. No host gets a hyphen. */
function breakAtDots(sentence: string, host: string): ReactNode {
  const [before, after] = sentence.split(host);
  const [first, ...labels] = host.length > maxWholeHost ? host.split('.') : [host];
  return (
    <>
      {before}
      <bdi>
        {first}
        {labels.map((label) => (
          <Fragment key={label}>
            .<wbr />
            {label}
          </Fragment>
        ))}
      </bdi>
      {after}
    </>
  );
}

/** A longer code is smaller, so that it takes two lines at most. */
const maxLargeLength = 14;

function Code({ device: { userCode, expiresAtMs } }: CodeProps) {
  const text = useText();
  const minutes = useMinutesLeft(expiresAtMs);
  const time = new Intl.RelativeTimeFormat(text.language).format(minutes, 'minute');
  return (
    <>
      <code
        className={userCode.length > maxLargeLength ? 'long' : undefined}
        data-region="device-code"
        aria-hidden="true"
        dir="ltr"
        translate="no"
      >
        {userCode}
      </code>
      {/* Not in a live region, which would announce each minute. */}
      <p className="quiet">{text('signingIn_codeEnds', time)}</p>
      <CopyButton label={text('signingIn_copyCode')} action="copy-code" read={() => userCode} />
    </>
  );
}

const minuteMs = 60_000;

/** The minutes that are left, rounded up, and at least one, because the worker ends the sign-in, not this page. */
function useMinutesLeft(expiresAtMs: number): number {
  const [nowMs, setNowMs] = useState(Date.now);
  const leftMs = expiresAtMs - nowMs;
  useEffect(() => {
    if (leftMs <= 0) return undefined;
    const timer = setTimeout(() => setNowMs(Date.now()), leftMs % minuteMs || minuteMs);
    return () => clearTimeout(timer);
  }, [leftMs]);
  return Math.max(1, Math.ceil(leftMs / minuteMs));
}
