// A problem's words, first choice, and details: the same wherever it is shown.

import type { ReactNode } from 'react';
import type { Command } from '../../session/commands.ts';
import type { Diagnosis, Problem } from '../../session/problem.ts';
import { toLoginHint, type AccountHint, type SignedInProblem } from '../../session/view.ts';
import type { Actions } from '../hooks/use-actions.ts';
import { gapAfter, isolate, type MessageKey, toKeyPart, type Text } from '../i18n/text.ts';
import { useText } from '../page.ts';
import { type Action, type ContactReason, problemTable } from '../problem-table.ts';
import { CopyButton, type Look } from './CopyButton.tsx';
import { Link } from './Links.tsx';

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

/** The first choice. */
export function ProblemAction({
  action,
  again,
  againText,
  another,
  look,
  actions: { observer, send },
}: ProblemActionProps) {
  const text = useText();
  const button = (name: string, words: string, onClick: () => void) => (
    <button type="button" className={look} data-action={name} onClick={onClick}>
      {words}
    </button>
  );
  switch (action) {
    case 'retry':
      return again && button('try-again', againText ?? text('tryAgain'), () => send(again));
    case 'another-account':
      return another && button(another.type, text('signedOut_anotherAccount'), () => send(another));
    case 'show-window':
      return button(action, text('signingIn_showWindow'), () => send({ type: action }));
    case 'allow': {
      const allow = async () => {
        if ((await observer.allowHosts()) && again) send(again);
      };
      return button('allow-hosts', text('problem_allowHosts'), () => void allow());
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

/** Names the team in "support" of the configuration, with a link to their page, or the administrator. */
function Contact({ reason }: { readonly reason: ContactReason }) {
  const text = useText();
  const { support } = text;
  if (support === null) return text(`problem_contact_${reason}`);
  const name = isolate(support.name);
  const [before = '', after = ''] = text(`problem_contact_${reason}_support`, support.name).split(name);
  return (
    <>
      {before}
      <Link url={support.url}>{name}</Link>
      {after}
    </>
  );
}

interface ProblemDetailsProps {
  readonly problem: SignedInProblem;
  /** Returns a report to copy; missing if it is offered elsewhere. */
  readonly report?: (() => Promise<string>) | undefined;
}

/** A contact, and the technical details for developers, administrators and support. Renders nothing if there are none. */
export function ProblemDetails({
  problem: { code, detail, diagnosis, failingSinceMs },
  report,
}: ProblemDetailsProps) {
  const text = useText();
  const persists = problemTable[code].contact === 'persists' || failingSinceMs !== undefined;
  if (!detail && !diagnosis && !persists && !report) return null;
  const copy = (key: 'problem_copy' | 'problem_copyDetails', action: string, copied: string) => (
    <CopyButton key={copied} label={text(key)} action={action} read={() => copied} />
  );
  const register = diagnosis?.register;
  const codeAndDetail = `${code}: ${detail}`;
  return (
    // Open in development builds, where the reader is the developer who fixes it. Its buttons speak for themselves.
    <details open={import.meta.env.DEV} aria-live="off">
      <summary>{text('problem_details')}</summary>
      {persists && (
        <p>
          <Contact reason="persists" />
        </p>
      )}
      {diagnosis && <p>{text(toReason(diagnosis))}</p>}
      {register && (
        <>
          <div className="row">
            <p>{text('diagnosis_register')}</p>
            {copy('problem_copy', 'copy-redirect-uri', register)}
          </div>
          <code dir="ltr">{register}</code>
        </>
      )}
      {detail && <code dir="auto">{codeAndDetail}</code>}
      <div className="row">
        {detail && copy('problem_copyDetails', 'copy-detail', codeAndDetail)}
        {report && <ReportButton report={report} />}
      </div>
    </details>
  );
}

/** The key of the sentence. Some causes are always certain, and others never: a test holds those that a sign-in finds. */
function toReason({ cause, certainty }: Diagnosis): MessageKey {
  return `diagnosis_${toKeyPart(cause)}_${certainty}` as MessageKey;
}

interface ReportButtonProps {
  readonly report: () => Promise<string>;
  readonly look?: Look;
}

/** Copies a report. */
export function ReportButton({ report, look }: ReportButtonProps) {
  const text = useText();
  return (
    <CopyButton
      label={text('report_copy')}
      failed={text('report_failed')}
      action="copy-report"
      look={look}
      read={report}
    />
  );
}
