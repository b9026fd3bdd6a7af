// All texts of the popup. The messages are in public/_locales, one file for each language. A text or a problem code
// without an English message is a compile error.

import type { Diagnosis, PassingCode, ProblemCode } from '../../session/problem.ts';
import type { ProviderSession, Session } from '../../session/session.ts';

/** The keys of the English messages file. Every language has the same keys. */
export type MessageKey = keyof typeof import('../../public/_locales/en/messages.json');

/** Looks up a message in the person's language and replaces its placeholders with the substitutions. */
export type LookUp = (key: MessageKey, substitutions?: readonly string[]) => string;

export type Text = ReturnType<typeof createText>;

/** The product's help and privacy pages, from the configuration. */
export interface Product {
  readonly support: { readonly name: string; readonly url: string } | null;
  readonly privacyUrl: string | null;
}

const plain: Product = { support: null, privacyUrl: null };

/** When to contact someone about a problem: if the advice doesn't solve it, at once, or for access. */
const contacts: Partial<Readonly<Record<ProblemCode, 'persists' | 'now' | 'access'>>> = {
  denied: 'persists',
  'provider-unreachable': 'persists',
  'provider-misconfigured': 'now',
  'sign-in-page-failed': 'persists',
  'response-rejected': 'persists',
  'not-permitted': 'access',
  unexpected: 'persists',
};

/** The texts in the language of `lookUp`. Dates are formatted for `language`, which may name a region: `en-GB`. */
export function createText(
  lookUp: LookUp,
  language = lookUp('language') || 'en',
  { support, privacyUrl }: Product = plain,
) {
  const product = lookUp('extensionName');
  const fill = (key: MessageKey, ...names: readonly string[]) => lookUp(key, names.map(isolate));
  const contact = (reason: 'persists' | 'now' | 'access') =>
    support === null
      ? lookUp(`problem_contact_${reason}`)
      : fill(`problem_contact_${reason}_support`, support.name);
  return {
    product,
    /** The page that helps, and the words of the link to it. */
    help: support && { label: lookUp('signedOut_help'), name: isolate(support.name), url: support.url },
    privacy: privacyUrl === null ? null : { label: lookUp('signedOut_privacy'), url: privacyUrl },
    /** Announced by screen readers when the status changes. */
    announcement: (status: Session['status']) => lookUp(`announcement_${toKeyPart(status)}`),
    managed: (organization?: string) =>
      organization === undefined ? lookUp('managed') : fill('managed_by', organization),
    starting: {
      slow: fill('starting_slow', product),
    },
    signedOut: {
      invitation: lookUp('signedOut_invitation'),
      welcomeBack: lookUp('signedOut_welcomeBack'),
      continueWith: (provider: string) => fill('signedOut_continueWith', provider),
      continueAs: (person: string) => fill('signedOut_continueAs', person),
      anotherAccount: lookUp('signedOut_anotherAccount'),
      forgetAccount: lookUp('signedOut_forgetAccount'),
      search: lookUp('signedOut_search'),
      noMatch: (query: string) => fill('signedOut_noMatch', query),
      noProvider: lookUp('signedOut_noProvider'),
      contact: contact('now'),
      /** The state of the session at the provider, after the sign-out on this device. */
      providerSession: (status: ProviderSession['status'], provider: string) =>
        fill(`signedOut_providerSession_${status}`, provider),
    },
    signingIn: {
      title: lookUp('signingIn_title'),
      early: (provider: string) => fill('signingIn_early', provider),
      confirmTitle: lookUp('signingIn_confirmTitle'),
      confirm: (api: string, provider: string) => fill('signingIn_confirm', api, provider),
      late: lookUp('signingIn_late'),
      showWindow: lookUp('signingIn_showWindow'),
      windowMissing: {
        'not-opened': lookUp('signingIn_windowNotOpened'),
        'not-found': lookUp('signingIn_windowNotFound'),
      },
      tryAgain: lookUp('signingIn_tryAgain'),
      cancel: lookUp('signingIn_cancel'),
    },
    signedIn: {
      title: lookUp('signedIn_title'),
      idle: (provider: string) => fill('signedIn_idle', provider),
      account: lookUp('signedIn_account'),
      since: (provider: string, sinceMs: number) =>
        fill('signedIn_since', provider, toDateAndTime(sinceMs, language)),
      signOut: lookUp('signedIn_signOut'),
      signOutEverywhere: (provider: string) => fill('signedIn_signOutEverywhere', provider),
      stillAs: (person: string) => fill('signedIn_stillAs', person),
      still: (code: PassingCode, provider: string) => fill(`signedIn_still_${toKeyPart(code)}`, provider),
    },
    feature: {
      stopped: lookUp('feature_stopped'),
      tryAgain: lookUp('feature_tryAgain'),
    },
    report: {
      copy: lookUp('report_copy'),
      copied: lookUp('report_copied'),
      failed: lookUp('report_failed'),
    },
    problem: {
      whatHappened: (code: ProblemCode) => fill(`problem_${toKeyPart(code)}_what_happened`, product),
      whatToDo: (code: ProblemCode) => fill(`problem_${toKeyPart(code)}_what_to_do`, product),
      /** The sentence about the people who can help; null if the advice is enough. */
      contact: (code: ProblemCode) => {
        const reason = contacts[code];
        return reason === undefined ? null : contact(reason);
      },
      windowLeftOpen: lookUp('problem_windowLeftOpen'),
      details: lookUp('problem_details'),
      copy: lookUp('problem_copy'),
      copyDetails: lookUp('problem_copyDetails'),
      copied: lookUp('problem_copied'),
      copyFailed: lookUp('problem_copyFailed'),
      allowHosts: lookUp('problem_allowHosts'),
    },
    /** Why a sign-in failed, for developers and administrators. */
    diagnosis: {
      sentence: ({ cause, certainty }: Diagnosis) => lookUp(`diagnosis_${toKeyPart(cause)}_${certainty}`),
      register: lookUp('diagnosis_register'),
    },
  };
}

type KeyPart<Code extends string> = Code extends `${infer Start}-${infer Rest}`
  ? `${Start}_${KeyPart<Rest>}`
  : Code;

/** A code as part of a message key, which may contain only letters, digits and underscores. */
function toKeyPart<Code extends string>(code: Code): KeyPart<Code> {
  return code.replaceAll('-', '_') as KeyPart<Code>;
}

/** Isolates a name (with U+2068 and U+2069), so that its writing direction does not affect the sentence around it. */
export function isolate(name: string): string {
  return `\u2068${name}\u2069`;
}

function toDateAndTime(timeMs: number, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(timeMs);
}
