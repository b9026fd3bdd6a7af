import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toLookUp, type MessagesFile } from '../../../src/gallery/messages-file.ts';
import { createText } from '../../../src/popup/i18n/text.ts';
import type { Cause, Diagnosis, PassingCode, ProblemCode } from '../../../src/session/problem.ts';
import type { ProviderSession, Session } from '../../../src/session/session.ts';
import { english, englishCode, lookUp, toRead } from '../../support/english.ts';

const folder = resolve(import.meta.dirname, '../../../src/public/_locales');
const noonMs = new Date(2030, 0, 31, 12).getTime();

function lookUpIn(language: string) {
  const file = readFileSync(join(folder, language, 'messages.json'), 'utf8');
  return toLookUp(JSON.parse(file) as MessagesFile);
}

describe('createText', () => {
  test('isolates the writing direction of a name', () => {
    expect(english.signedOut.continueAs('نجيب محفوظ')).toBe('Continue as \u2068نجيب محفوظ\u2069');
  });

  test('names the product in its messages', () => {
    expect(english.product).toBe(lookUp('extensionName'));
    expect(toRead(english.problem.whatHappened('worker-unreachable'))).toContain(english.product);
  });

  test.each(readdirSync(folder))('formats a date for the language %s', (language) => {
    const date = new Intl.DateTimeFormat(language.replace('_', '-'), {
      dateStyle: 'medium',
      timeStyle: 'short',
    });
    expect(createText(lookUpIn(language)).signedIn.since('Acme', noonMs)).toContain(date.format(noonMs));
  });

  test.each([
    ['en-US', 'Jan 31, 2030'],
    ['en-GB', '31 Jan 2030'],
  ])('formats a date for the region of %s', (language, date) => {
    expect(createText(lookUpIn('en'), language).signedIn.since('Acme', noonMs)).toContain(date);
  });

  test('returns empty texts if the browser finds no messages', () => {
    const text = createText(() => '');
    expect(text.signedIn.since('Acme', noonMs)).toBe('');
    expect(text.problem.whatToDo('unexpected')).toBe('');
  });
});

describe('the popup in English', () => {
  /** An adopter gives the product another name. */
  const text = createText((key, names) => (key === 'extensionName' ? 'Latchkey' : lookUp(key, names)));
  const sayAll = (texts: object) =>
    Object.entries(texts).flatMap(([name, said]): [string, string][] =>
      typeof said === 'string' ? [[name, toRead(said)]] : [],
    );

  /** The popup's text in each state of `expected`. */
  const sayEach = <State extends string, Said>(
    expected: Readonly<Record<State, Said>>,
    toSaid: (state: State) => Said,
  ) => Object.fromEntries((Object.keys(expected) as State[]).map((state) => [state, toSaid(state)]));

  test('announces each status', () => {
    const announcements: Record<Session['status'], string> = {
      'signed-out': 'You’re signed out.',
      'signing-in': 'Signing in.',
      'signed-in': 'You’re signed in.',
    };
    expect(sayEach(announcements, (status) => toRead(text.announcement(status)))).toEqual(announcements);
  });

  test('says what has become of the session at the provider', () => {
    const sentences: Record<ProviderSession['status'], string> = {
      ending: 'You’re signed out here. Finish signing out in the Acme window.',
      ended: 'You’re signed out here and out of Acme.',
      open: 'You’re signed out here. You may still be signed in to Acme.',
    };
    const toSaid = (status: ProviderSession['status']) =>
      toRead(text.signedOut.providerSession(status, 'Acme'));
    expect(sayEach(sentences, toSaid)).toEqual(sentences);
  });

  test('says why the sign-in window cannot be shown', () => {
    expect(text.signingIn.windowMissing).toEqual({
      'not-opened': 'The window hasn’t opened yet. It will open as soon as the sign-in page has loaded.',
      'not-found':
        'The sign-in window can’t be found from here. Look for it among your open windows. If it isn’t there, cancel and start again.',
    });
  });

  test('says of each passing problem that the person is still signed in', () => {
    const sentences: Record<PassingCode, string> = {
      offline: 'You’re offline, but still signed in.',
      'timed-out': 'Acme is slow to respond, but you’re still signed in.',
      'provider-unreachable': 'Acme can’t be reached at the moment, but you’re still signed in.',
    };
    expect(sayEach(sentences, (code) => toRead(text.signedIn.still(code, 'Acme')))).toEqual(sentences);
  });

  test('says of each problem what to do; docs/troubleshooting.md quotes what has happened', () => {
    const later = 'If this keeps happening, contact your administrator.';
    const toDo = (code: ProblemCode) => {
      const contact = text.problem.contact(code);
      return toRead(text.problem.whatToDo(code) + (contact === null ? '' : ` ${contact}`));
    };
    const sentences: Record<ProblemCode, string> = {
      cancelled: 'Nothing has changed. Start again whenever you like.',
      denied: `To continue, sign in again and allow access. ${later}`,
      interrupted: 'Please sign in again.',
      expired: 'Sign in again to continue.',
      offline: 'Check your internet connection, then try again.',
      'timed-out': 'Try again in a moment.',
      'provider-unreachable': `Try again in a few minutes. ${later}`,
      'provider-misconfigured': 'Trying again won’t help. Please contact your administrator.',
      'sign-in-page-failed': `Check your internet connection, then try again. ${later}`,
      'clock-wrong': 'Set the date and time automatically, then sign in again.',
      'not-supported': 'Use a regular (not private) window in an up-to-date browser.',
      'host-permission-missing': 'Allow access here or in the browser’s extension settings, then try again.',
      'response-rejected': `Try again. ${later}`,
      'not-permitted': 'Use another account. Or ask your administrator for access.',
      'storage-failed': 'Free up some disk space or restart the browser, then try again.',
      'worker-unreachable': 'Close it and open it again. If that doesn’t help, restart the browser.',
      unexpected: `Try again. ${later}`,
    };
    expect(sayEach(sentences, toDo)).toEqual(sentences);
  });

  test('says why a sign-in page failed, and how certain that is', () => {
    const sentences: Record<Cause, Record<Diagnosis['certainty'], string>> = {
      'redirect-uri': {
        known: 'This extension’s redirect URI isn’t registered with the provider.',
        guess: 'This extension’s redirect URI is probably not registered with the provider.',
      },
      client: {
        known: 'The provider doesn’t recognize this client ID, or it isn’t registered as a public client.',
        guess:
          'The provider probably doesn’t recognize this client ID, or it isn’t registered as a public client.',
      },
      request: {
        known: 'The provider doesn’t accept this request from this client.',
        guess: 'The provider probably doesn’t accept this request from this client.',
      },
      'page-missing': {
        known: 'There’s no sign-in page at the provider’s address.',
        guess: 'There’s probably no sign-in page at the provider’s address.',
      },
      'page-down': {
        known: 'The provider’s sign-in page isn’t working at the moment.',
        guess: 'The provider’s sign-in page probably isn’t working at the moment.',
      },
      network: {
        known: 'The network is blocking the browser from reaching the sign-in page.',
        guess: 'The network is probably blocking the browser from reaching the sign-in page.',
      },
    };
    const toSaid = (cause: Cause) => {
      const sentence = (certainty: Diagnosis['certainty']) =>
        toRead(text.diagnosis.sentence({ cause, certainty, register: null }));
      return { known: sentence('known'), guess: sentence('guess') };
    };
    expect(sayEach(sentences, toSaid)).toEqual(sentences);
  });

  test('names provider, person and query where they belong', () => {
    const { signedOut, signingIn, signedIn } = text;
    expect(
      [
        text.managed(),
        text.managed('Acme IT'),
        signedOut.continueWith('Acme'),
        signedOut.continueAs('Ada'),
        signedOut.noMatch('acne'),
        signingIn.early('Acme'),
        signingIn.confirm('Acme Payments', 'Acme'),
        signedIn.idle('Acme'),
        signedIn.signOutEverywhere('Acme'),
        englishCode.enter('id.example'),
      ].map(toRead),
    ).toEqual([
      'Managed by your organization',
      'Managed by Acme IT',
      'Continue with Acme',
      'Continue as Ada',
      'No results for “acne”.',
      'Continue in the Acme window. It may be behind other windows.',
      'Acme Payments asks for this. Continue in the Acme window.',
      'You’re signed in with Acme.',
      'Sign out of Acme too',
      'Open id.example and enter this code.',
    ]);
  });

  test('has a text for each place that always says the same', () => {
    const { starting, signedOut, signingIn, signedIn, feature, report, problem, diagnosis } = text;
    const parts = {
      starting,
      signedOut,
      signingIn,
      signedIn,
      feature,
      report,
      problem,
      diagnosis,
      code: englishCode,
    };
    const said = Object.entries(parts).map(([part, texts]) => [part, Object.fromEntries(sayAll(texts))]);
    expect(Object.fromEntries(said)).toEqual({
      starting: {
        slow: 'This is taking longer than it should. Close Latchkey and open it again. If that doesn’t help, restart the browser.',
      },
      signedOut: {
        invitation: 'Sign in once, and stay signed in.',
        welcomeBack: 'Welcome back.',
        anotherAccount: 'Use another account',
        forgetAccount: 'Forget this account',
        search: 'Search',
        noProvider: 'No sign-in option has been set up yet.',
        contact: 'Please contact your administrator.',
      },
      signingIn: {
        title: 'Finish signing in',
        confirmTitle: 'Confirm it’s you',
        late: 'If no window has appeared, try again.',
        showWindow: 'Show the window',
        tryAgain: 'Try again',
        cancel: 'Cancel',
      },
      signedIn: { title: 'Signed in', account: 'Account', signOut: 'Sign out' },
      feature: {
        stopped: 'This part has stopped working. You’re still signed in.',
        tryAgain: 'Try again',
      },
      report: {
        copy: 'Copy a report',
        copied: 'Report copied. Paste it into a message to the person helping you.',
        failed: 'The report couldn’t be copied. Try again.',
      },
      problem: {
        windowLeftOpen: 'The sign-in window may still be open. You can close it.',
        details: 'Details',
        copy: 'Copy',
        copyDetails: 'Copy the details',
        copied: 'Copied',
        copyFailed: 'Select the text to copy it',
        allowHosts: 'Allow',
      },
      diagnosis: { register: 'Register exactly this with the provider:' },
      code: {
        pending: 'Getting your code.',
        copy: 'Copy the code',
        openPage: 'Open the sign-in page',
      },
    });
  });
});
