// Every text that the popup shows, in English. A further language is one more object of the same type,
// and a key or a problem code that it lacks does not compile.

import type { ProblemCode } from '../session/problem.ts';
import type { ProviderSession, Session } from '../session/session.ts';

interface ProblemText {
  /** What happened, in one sentence. */
  readonly whatHappened: string;
  readonly whatToDo: string;
}

const problems: Readonly<Record<ProblemCode, ProblemText>> = {
  cancelled: {
    whatHappened: 'The sign-in was cancelled.',
    whatToDo: 'Nothing has changed. Start again whenever you like.',
  },
  denied: {
    whatHappened: 'Access was not granted.',
    whatToDo: 'To continue, sign in again and allow it, or ask your administrator.',
  },
  interrupted: {
    whatHappened: 'The sign-in was interrupted.',
    whatToDo: 'Please sign in again.',
  },
  expired: {
    whatHappened: 'Your session has ended.',
    whatToDo: 'Sign in again to continue.',
  },
  offline: {
    whatHappened: 'You seem to be offline.',
    whatToDo: 'Check your internet connection, then try again.',
  },
  'timed-out': {
    whatHappened: 'The sign-in service took too long to answer.',
    whatToDo: 'Try again in a moment.',
  },
  'provider-unreachable': {
    whatHappened: 'The sign-in service cannot be reached.',
    whatToDo: 'Try again in a few minutes. If it goes on, tell your administrator.',
  },
  'provider-misconfigured': {
    whatHappened: 'Sign-in is not set up correctly.',
    whatToDo: 'Trying again will not help. Please tell your administrator.',
  },
  'sign-in-page-failed': {
    whatHappened: 'The sign-in page did not load.',
    whatToDo: 'Check your internet connection and try again. If it goes on, tell your administrator.',
  },
  'clock-wrong': {
    whatHappened: 'The clock of this device is wrong.',
    whatToDo: 'Let your system set date and time automatically, then sign in again.',
  },
  'not-supported': {
    whatHappened: 'You cannot sign in here.',
    whatToDo: 'Use an ordinary window, not a private one, of an up-to-date browser.',
  },
  'host-permission-missing': {
    whatHappened: 'The browser does not let Latchkey reach the sign-in service.',
    whatToDo: 'Allow it here or in the browser’s extension settings, then try again.',
  },
  'response-rejected': {
    whatHappened: 'The sign-in could not be verified, so Latchkey did not accept it.',
    whatToDo: 'Try again. If it goes on, tell your administrator.',
  },
  'not-permitted': {
    whatHappened: 'This account may not be used here.',
    whatToDo: 'Use another account, or ask your administrator for access.',
  },
  'storage-failed': {
    whatHappened: 'Latchkey could not use its storage on this device.',
    whatToDo: 'Free some disk space or restart the browser, then try again.',
  },
  'worker-unreachable': {
    whatHappened: 'Latchkey does not answer.',
    whatToDo: 'Close it and open it again. If that does not help, restart the browser.',
  },
  unexpected: {
    whatHappened: 'Something went wrong.',
    whatToDo: 'Try again. If it goes on, tell your administrator.',
  },
};

const english = {
  product: 'Latchkey',
  /** Told to assistive tools when the state changes. */
  announcements: {
    starting: '',
    'signed-out': 'You are signed out.',
    'signing-in': 'Signing in.',
    'signed-in': 'You are signed in.',
  } satisfies Record<Session['status'] | 'starting', string>,
  starting: {
    slow: 'This takes longer than it should. Close Latchkey and open it again. If that does not help, restart the browser.',
  },
  signedOut: {
    invitation: 'Sign in once, and stay signed in.',
    welcomeBack: 'Welcome back.',
    continueWith: (provider: string) => `Continue with ${provider}`,
    continueAs: (person: string) => `Continue as ${person}`,
    search: 'Search',
    noMatch: (query: string) => `Nothing is called “${query}”.`,
    noProvider: 'There is nothing to sign in with yet. Please tell your administrator.',
    managed: 'Set up by your organization',
    /** What became of the session at the provider, after this device was signed out. */
    providerSession: {
      ending: (provider) => `You are signed out here. Finish signing out at ${provider} in its window.`,
      ended: (provider) => `You are signed out here and at ${provider}.`,
      open: (provider) => `You are signed out here. You may still be signed in at ${provider}.`,
    } satisfies Record<ProviderSession['status'], (provider: string) => string>,
  },
  signingIn: {
    title: 'Finish signing in',
    early: (provider: string) => `Continue in the window that opened for ${provider}.`,
    late: 'If no window appeared, you can try again.',
    showWindow: 'Show the window',
    tryAgain: 'Try again',
    cancel: 'Cancel',
  },
  signedIn: {
    idle: (provider: string) => `You are signed in with ${provider}.`,
    menu: 'Account',
    anotherAccount: 'Use another account',
    signOut: 'Sign out',
    signOutEverywhere: (provider: string) => `Sign out of ${provider} too`,
  },
  feature: {
    label: 'Content',
    stopped: 'This part has stopped working. You are still signed in.',
    tryAgain: 'Try again',
  },
  problem: {
    allowHosts: 'Allow',
    details: 'Details',
    copy: 'Copy',
    copied: 'Copied',
    copyFailed: 'Select the text to copy it',
  },
  problems,
};

/** The texts in the person's language. */
export const text: Readonly<typeof english> = english;
