// The events that can happen to the worker at any moment, and the states that they find it in.

import type { Command } from '../../../src/session/commands.ts';
import { payOrigin } from '../scripted-api.ts';
import type { User } from './provider.ts';
import { codePauseSeconds, providerKinds, type Mood, type ProviderKind } from './provider.ts';
import type { OwnWindow, Rule, Stage, Way } from './stage.ts';

/** Finds out how it would happen now; null if it cannot. Nothing happens before the result is called. */
type Happen = (stage: Stage) => (() => void | Promise<void>) | null;

const always =
  (act: (stage: Stage) => void | Promise<void>): Happen =>
  (stage) =>
  () =>
    act(stage);

const command = (sent: Command) => always((stage) => stage.send(sent));

/** Something that makes an attempt at that moment fail, and later retries too. */
const disturbing = (act: (stage: Stage) => void | Promise<void>) =>
  always((stage) => {
    stage.isDisturbed = true;
    return act(stage);
  });

/** Something happens to our newest window, which is open or hasn't appeared yet. */
const withWindow =
  (status: 'launched' | 'open', act: (stage: Stage, own: OwnWindow) => void): Happen =>
  (stage) => {
    const own = stage.window(status);
    if (own === undefined) return null;
    return () => {
      stage.wake();
      act(stage, own);
    };
  };

/** Time passes only while the browser owes the worker no answer, because it answers at once. */
const withCode =
  (act: (stage: Stage) => void): Happen =>
  (stage) =>
    stage.shownCode() === null || stage.gates.isAnswering() ? null : () => act(stage);

const mood = (next: Mood) => disturbing(({ provider }) => void (provider.mood = next));

const agrees = (user: User) => withWindow('open', (stage, own) => stage.agree(own, user));
const entersCode = (user: User | null) => withCode((stage) => stage.enterCode(user));
const policy =
  (rule: Rule): Happen =>
  (stage) =>
    stage.rule === rule ? null : () => stage.changePolicy(rule);
const dies: Happen = (stage) => (stage.life === null ? null : () => stage.kill());
const isReplaced: Happen = (stage) => (stage.life === null ? null : () => stage.startBeside());

export const events = {
  open: command({ type: 'open' }),
  'sign in': command({ type: 'sign-in', providerId: 'scripted' }),
  'use another account': command({ type: 'use-another-account' }),
  'API wants a confirmation': command({
    type: 'step-up',
    acrValues: 'strong',
    maxAgeSeconds: null,
    api: payOrigin,
  }),
  'request scope': command({ type: 'request-scope', scope: 'calendar' }),
  'request scope of another API': command({ type: 'request-scope', scope: 'pay', api: payOrigin }),
  cancel: command({ type: 'cancel' }),
  'try again': (stage) => {
    const session = stage.session();
    if (session?.status !== 'signing-in') return null;
    return () => stage.send({ type: 'try-again', attempt: session.attempt });
  },
  'show window': command({ type: 'show-window' }),
  'sign out': command({ type: 'sign-out', everywhere: false }),
  'sign out everywhere': command({ type: 'sign-out', everywhere: true }),
  'window appears': withWindow('launched', (stage, own) => stage.show(own)),
  'Ada agrees': agrees('ada'),
  'Grace agrees': agrees('grace'),
  'Ada is signed in without a page': withWindow('launched', (stage, own) => stage.agree(own, 'ada')),
  'user closes window': withWindow('open', (stage, { window }) => {
    stage.witness.hasUserEnded = true;
    window.close();
  }),
  'page cannot be loaded': withWindow('launched', (_stage, { window }) => window.cannotLoad()),
  'another popup opens': always((stage) => stage.openOtherWindow()),
  'Ada enters the code': entersCode('ada'),
  'Grace enters the code': entersCode('grace'),
  'user denies the code': entersCode(null),
  'five seconds pass': withCode((stage) => stage.letPass(codePauseSeconds * 1_000)),
  'feature requests': always((stage) => stage.request()),
  'feature requests of another API': always((stage) => stage.request(payOrigin)),
  'APIs refuse the tokens': disturbing((stage) => {
    stage.provider.refuseAccessTokens();
    stage.request();
    stage.request(payOrigin);
  }),
  'provider ends the grants': always(({ provider }) => provider.endGrants('ada')),
  'Ada signs in at the provider': always(({ provider }) => void (provider.user = 'ada')),
  'Grace signs in at the provider': always(({ provider }) => void (provider.user = 'grace')),
  'provider issues an old ID token': disturbing(({ provider }) => void (provider.isNextTokenOld = true)),
  'provider is busy': mood('busy'),
  'provider grants less': mood('grants less'),
  'provider refuses the API': mood('refuses the API'),
  'provider sends a refresh token alone': mood('sends a refresh token alone'),
  'provider works again': always(({ provider }) => void (provider.mood = 'well')),
  'the disk is full': disturbing((stage) => void (stage.faults.isDiskFull = true)),
  'the disk has room again': always((stage) => void (stage.faults.isDiskFull = false)),
  'the toolbar asks for a click': always((stage) => {
    stage.worker.shown.refusesPopup = true;
  }),
  'an update moves the key': disturbing((stage) => stage.moveKey()),
  'network fails': disturbing((stage) => void (stage.isOnline = false)),
  'network is back': always((stage) => void (stage.isOnline = true)),
  'three minutes pass': always((stage) => void (stage.nowMs += 3 * 60_000)),
  'an hour passes': disturbing((stage) => void (stage.nowMs += 60 * 60_000)),
  // Three nights are less than the day after which a revocation is given up.
  'a night passes': disturbing((stage) => void (stage.nowMs += 7 * 60 * 60_000)),
  'the clock is set back': always((stage) => {
    stage.nowMs -= 2 * 60 * 60_000;
    stage.isClockSetBack = true;
  }),
  'hosts are allowed': always((stage) => {
    stage.wake();
    stage.worker.allowHosts();
  }),
  'policy excludes the provider': policy('nothing is offered'),
  'policy moves the provider': policy('the provider has moved'),
  'policy signs in when the popup opens': policy('sign in when the popup opens'),
  'policy is removed': policy('none'),
  'update is offered': always((stage) => {
    stage.wake();
    stage.worker.closePopup();
    stage.worker.offerUpdate();
  }),
  'worker dies': dies,
  'another worker starts beside it': isReplaced,
  'browser restarts': always((stage) => stage.restartBrowser()),
} satisfies Record<string, Happen>;

export type EventName = keyof typeof events;

/** How often an event is drawn; 1 for all others. */
const weights: Partial<Record<EventName, number>> = {
  // These lead to states.
  'network is back': 0,
  'provider works again': 0,
  'the disk has room again': 0,
  'the toolbar asks for a click': 0,
  'three minutes pass': 0,
  'provider ends the grants': 0,
  'Ada signs in at the provider': 0,
  'Grace signs in at the provider': 0,
  // Few states lead on to these, and most faults show after them.
  'window appears': 10,
  'Ada agrees': 10,
  'Grace agrees': 10,
  'Ada enters the code': 10,
  open: 4,
  'sign in': 4,
  cancel: 4,
  'sign out': 4,
  'feature requests': 4,
  'feature requests of another API': 4,
  'provider issues an old ID token': 4,
  'worker dies': 4,
  'another worker starts beside it': 4,
};

const names = (Object.keys(events) as EventName[]).flatMap((name) =>
  Array<EventName>(weights[name] ?? 1).fill(name),
);

/** The events that can happen now, each repeated by its weight. */
export function possibleEvents(stage: Stage): EventName[] {
  return names.filter((name) => events[name](stage) !== null);
}

const stepUp = [
  'feature requests of another API',
  'API wants a confirmation',
  'window appears',
  'Ada agrees',
] as const;

const signedIn = ['window', 'sign in', 'window appears', 'Ada agrees'] as const;

/** How the user signs in, and what has happened before, each when nothing moved. */
export const states = {
  'signed out': ['window', 'worker dies'],
  'signed in as Ada': [...signedIn, 'worker dies'],
  'signed in as Ada, her refresh token about to end': [...signedIn, 'worker dies', 'three minutes pass'],
  'signed in as Ada, tokens stale': [...signedIn, 'worker dies', 'an hour passes'],
  'signed in as Ada, her grant ended': [
    ...signedIn,
    'worker dies',
    'an hour passes',
    'provider ends the grants',
  ],
  'signed in as Ada, her grant ended, Grace at the provider': [
    ...signedIn,
    'worker dies',
    'an hour passes',
    'provider ends the grants',
    'Grace signs in at the provider',
  ],
  'signed in as Ada, with the key in the browser': [
    'window',
    'an update moves the key',
    'sign in',
    'window appears',
    'Ada agrees',
  ],
  'signing in after a sign-out that the disk has not stored': [
    ...signedIn,
    'the disk is full',
    'sign out',
    'sign in',
    'window appears',
  ],
  'signed in as Ada, the disk full': [...signedIn, 'the disk is full'],
  'signed out in memory alone by a worker that has died': [
    ...signedIn,
    'the disk is full',
    'sign out',
    'worker dies',
    'the disk has room again',
  ],
  'signed out with a revocation pending': [
    ...signedIn,
    'network fails',
    'sign out',
    'worker dies',
    'network is back',
  ],
  'signed out with a revocation pending, the provider busy': [
    ...signedIn,
    'provider is busy',
    'sign out',
    'worker dies',
  ],
  'signing in, no window yet': ['window', 'sign in'],
  'signing in, window open': ['window', 'sign in', 'window appears'],
  'signing in with a window that its worker did not outlive': [
    'window',
    'sign in',
    'window appears',
    'worker dies',
  ],
  'signing in again after a cancel, no window yet': ['window', 'sign in', 'cancel', 'sign in'],
  'changing from Ada to another account, window open': [...signedIn, 'use another account', 'window appears'],
  'changing from Ada to another account, window open, tokens stale': [
    ...signedIn,
    'an hour passes',
    'use another account',
    'window appears',
  ],
  'asking Ada for more scope, window open': [...signedIn, 'request scope', 'window appears'],
  'asking Ada for scope of another API, window open': [
    ...signedIn,
    'request scope of another API',
    'window appears',
  ],
  'asking Ada for scope of another API that will be denied, window open': [
    ...signedIn,
    'request scope of another API',
    'window appears',
    'provider grants less',
  ],
  'confirming for an API that Ada is Ada, window open': [
    ...signedIn,
    'feature requests of another API',
    'API wants a confirmation',
    'window appears',
  ],
  'signed out everywhere, window open': [...signedIn, 'sign out everywhere', 'window appears'],
  'signing in after signing out everywhere, no window yet': [...signedIn, 'sign out everywhere', 'sign in'],
  'signed out, to be signed in when the popup opens': [
    'window',
    'policy signs in when the popup opens',
    'worker dies',
    'Ada signs in at the provider',
  ],
  'signed out by a policy with a revocation pending, to be signed in when the popup opens': [
    ...signedIn,
    'network fails',
    'policy excludes the provider',
    // The second page dismisses the notice.
    'open',
    'open',
    'network is back',
    'policy signs in when the popup opens',
    'worker dies',
  ],
  'signed out, to be shown a code': ['code', 'worker dies'],
  'showing a code': ['code', 'sign in'],
  'showing a code that its worker did not outlive': ['code', 'sign in', 'worker dies'],
  'changing from Ada to another account, showing a code': [
    'code',
    'sign in',
    'Ada enters the code',
    'use another account',
  ],
  'signed in as Ada, after forty step-ups': [...signedIn, ...Array.from({ length: 40 }, () => stepUp).flat()],
} as const satisfies Record<string, readonly [Way, ...EventName[]]>;

export type StateName = keyof typeof states;

/** The states that are drawn. The other one takes long to reach. */
export const drawnStates = (Object.keys(states) as StateName[]).filter((name) => !name.includes('forty'));

/** Something that leads from one state to another in many steps, with a provider that makes the most of it. */
export interface Flow {
  readonly kind: ProviderKind;
  readonly state: StateName;
  readonly events: readonly EventName[];
}

const flow = (kind: ProviderKind, state: StateName, ...own: EventName[]): Flow => ({
  kind,
  state,
  events: own,
});

const [rotates, graceful, ending, keeps, alone] = providerKinds;

/** The flows in which something is aimed at each step. */
export const flows: readonly Flow[] = [
  flow(graceful, 'asking Ada for scope of another API that will be denied, window open', 'Ada agrees'),
  flow(graceful, 'signed in as Ada, with the key in the browser', 'an update moves the key', 'open'),
  flow(
    keeps,
    'signing in after a sign-out that the disk has not stored',
    'the disk has room again',
    'Ada agrees',
  ),
  flow(graceful, 'signed out in memory alone by a worker that has died', 'open'),
  flow(rotates, 'signed in as Ada, the disk full', 'sign out'),
  flow(
    rotates,
    'signed in as Ada, tokens stale',
    'provider sends a refresh token alone',
    'feature requests of another API',
  ),
  flow(rotates, 'signed in as Ada, tokens stale', 'provider sends a refresh token alone', 'feature requests'),
  flow(ending, 'signed in as Ada, her refresh token about to end', 'feature requests'),
  flow(rotates, 'signed out with a revocation pending, the provider busy', 'open'),
  flow(rotates, 'signed in as Ada, tokens stale', 'provider is busy', 'feature requests', 'feature requests'),
  flow(graceful, 'signed in as Ada, her grant ended, Grace at the provider', 'feature requests'),
  flow(rotates, 'asking Ada for scope of another API, window open', 'Ada agrees'),
  flow(graceful, 'showing a code that its worker did not outlive', 'open'),
  flow(graceful, 'signing in with a window that its worker did not outlive', 'sign in'),
  flow(graceful, 'showing a code', 'Ada enters the code'),
  flow(graceful, 'signed out, to be shown a code', 'sign in'),
  flow(graceful, 'signing in, window open', 'cancel'),
  flow(alone, 'signed out, to be signed in when the popup opens', 'open'),
  flow(keeps, 'signing in, no window yet', 'the toolbar asks for a click', 'page cannot be loaded'),
  flow(graceful, 'signing in, window open', 'Ada agrees'),
  flow(rotates, 'signed in as Ada, tokens stale', 'feature requests'),
  flow(graceful, 'signed in as Ada, tokens stale', 'feature requests of another API'),
  flow(ending, 'signed in as Ada, tokens stale', 'feature requests'),
  flow(graceful, 'signed in as Ada, her grant ended', 'feature requests of another API'),
  flow(rotates, 'signed in as Ada', 'sign out'),
  flow(rotates, 'signed out with a revocation pending', 'open'),
  flow(graceful, 'signed in as Ada', 'an update moves the key'),
  flow(keeps, 'changing from Ada to another account, window open, tokens stale', 'Grace agrees'),
  flow(graceful, 'signing in again after a cancel, no window yet', 'window appears'),
  flow(rotates, 'signed in as Ada', 'sign out everywhere'),
  flow(rotates, 'signed out everywhere, window open', 'Ada agrees'),
  flow(rotates, 'signing in after signing out everywhere, no window yet', 'window appears'),
  flow(alone, 'confirming for an API that Ada is Ada, window open', 'Ada agrees'),
  flow(keeps, 'asking Ada for more scope, window open', 'Ada agrees'),
  flow(rotates, 'signed in as Ada', 'APIs refuse the tokens'),
];

/** The events that may come in between. */
export const interruptions: readonly EventName[] = [
  'another worker starts beside it',
  'cancel',
  'worker dies',
  'sign out',
  'use another account',
  'try again',
  'feature requests',
  'policy excludes the provider',
  'policy moves the provider',
  'open',
  'an hour passes',
];
