// The events that can happen to the worker at any moment.

import type { Command } from '../../../src/session/commands.ts';
import { apiOrigin } from '../scripted-api.ts';
import { otherApiOrigin, otherProvider } from './providers.ts';
import { timeLimits } from './still-time.ts';
import type { Person } from './ledger.ts';
import type { OwnWindow, Windows } from './own-windows.ts';
import type { ManagedPolicy, Stage } from './stage.ts';

/** Finds out how it would happen now; null if it cannot. Nothing happens before the result is called. */
type Happen = (stage: Stage) => (() => void | Promise<void>) | null;

const command =
  (sent: Command): Happen =>
  (stage) =>
  () =>
    void stage.send(sent);

/** Something happens to the newest window with this status. */
const withWindow =
  (status: OwnWindow['status'], act: (windows: Windows, own: OwnWindow, stage: Stage) => void): Happen =>
  (stage) => {
    const own = stage.windows.newest(status);
    if (own === undefined) return null;
    return () => {
      stage.wake();
      act(stage.windows, own, stage);
    };
  };

/** The provider's page ends: this person agreed, or confirmed the end of the session. */
const agree = (person: Person) => (windows: Windows, own: OwnWindow, stage: Stage) => {
  stage.wishes.noteAgreed(person);
  windows.redirect(own, stage.provider.approve(own.window.url, person));
};

const always =
  (act: (stage: Stage) => void | Promise<void>): Happen =>
  (stage) =>
  () =>
    act(stage);

/** The person enters the code that is shown. */
const withCode =
  (person: Person | null): Happen =>
  (stage) => {
    if (stage.shownCode() === null || stage.gates.isAnswering()) return null;
    return () => stage.enterCode(person);
  };

/** The administrator's policy becomes this one. */
const policy =
  (next: ManagedPolicy): Happen =>
  (stage) =>
    stage.policy().rule === next.rule ? null : () => stage.changePolicy(next);

/** Something that may fail a request or a revocation, which is tried again later. */
const disturbing = (act: (stage: Stage) => void): Happen =>
  always((stage) => {
    stage.isDisturbed = true;
    act(stage);
  });

export const events = {
  open: command({ type: 'open' }),
  'sign in': always((stage) => void stage.send(stage.signIn)),
  'sign in with the other provider': (stage) =>
    stage.providers.includes(otherProvider)
      ? () => void stage.send({ type: 'sign-in', providerId: otherProvider.id })
      : null,
  'use another account': command({ type: 'use-another-account' }),
  'request scope': always((stage) => stage.askForScope('calendar')),
  'another page requests scope': always((stage) => stage.askForScope('contacts')),
  cancel: command({ type: 'cancel' }),
  'show window': command({ type: 'show-window' }),
  'sign out': command({ type: 'sign-out', everywhere: false }),
  'sign out everywhere': command({ type: 'sign-out', everywhere: true }),
  'window appears': withWindow('launched', (windows, own) => windows.show(own)),
  'Ada agrees': withWindow('shown', agree('ada')),
  'Grace agrees': withWindow('shown', agree('grace')),
  'Ada is signed in without a page': withWindow('launched', agree('ada')),
  'Ada enters the code': withCode('ada'),
  'Grace enters the code': withCode('grace'),
  'person denies the code': withCode(null),
  // Longer than a browser takes.
  'five seconds pass': (stage) => (stage.gates.isAnswering() ? null : () => stage.letPausePass()),
  'person closes window': withWindow('shown', (windows, own) => windows.close(own)),
  'page cannot be loaded': withWindow('launched', (windows, own) =>
    windows.fail(own, 'Authorization page could not be loaded.'),
  ),
  'another popup opens': always((stage) => stage.openOtherWindow()),
  'feature requests': always((stage) => stage.request(apiOrigin)),
  'feature requests another API': always((stage) => stage.request(otherApiOrigin)),
  'API refuses the tokens': always((stage) => {
    stage.provider.refuseTokens();
    stage.refusals += 1;
    stage.request(apiOrigin);
  }),
  'APIs refuse every token': always((stage) => {
    stage.provider.troubles.add('APIs refuse every token');
  }),
  'network fails': disturbing((stage) => {
    stage.setOnline(false);
  }),
  'metadata and keys cannot be had': always((stage) => {
    stage.provider.troubles.add('metadata and keys cannot be had');
  }),
  'UserInfo asks to be left alone': always((stage) => {
    stage.provider.troubles.add('UserInfo asks to be left alone');
  }),
  'hidden pages fail': disturbing((stage) => {
    stage.provider.troubles.add('hidden pages fail');
  }),
  'hidden pages hang': disturbing((stage) => {
    stage.provider.troubles.add('hidden pages hang');
  }),
  'no refresh tokens are issued': always((stage) => {
    stage.provider.troubles.add('no refresh tokens are issued');
  }),
  'request times out'(stage) {
    const limit = timeLimits.findLast(({ signal }) => !signal.aborted);
    if (limit === undefined) return null;
    return () => {
      stage.isDisturbed = true;
      limit.abort(new DOMException('The operation timed out.', 'TimeoutError'));
    };
  },
  'a moment passes': always(async (stage) => void (await stage.letMomentPass())),
  // Likewise.
  'a minute passes': (stage) =>
    stage.gates.isAnswering() ? null : disturbing((disturbed) => disturbed.letMinutePass())(stage),
  'provider repeats its input': disturbing((stage) => {
    stage.provider.mood = 'repeats its input';
  }),
  'provider issues an ID token out of time': disturbing((stage) => {
    stage.provider.mood = 'issues an ID token out of time';
  }),
  'provider renews with the tokens of another person': disturbing((stage) => {
    stage.provider.mood = 'renews with the tokens of another person';
  }),
  'hosts are allowed': always((stage) => {
    stage.wake();
    stage.fake.allowHosts();
  }),
  'policy excludes the provider': policy({ rule: 'nothing is offered' }),
  'policy names another client': policy({ rule: 'another client is used' }),
  'policy is mistaken': (stage) =>
    // The one before it stays in force.
    stage.isExcluded() ? null : policy({ rule: 'it is mistaken' })(stage),
  'policy signs in when the popup opens': policy({ rule: 'sign in when the popup opens' }),
  'policy signs in when the browser starts': policy({ rule: 'sign in when the browser starts' }),
  'policy is removed': policy({}),
  'update is offered': always((stage) => {
    stage.wake();
    stage.fake.closePopup();
    stage.fake.offerUpdate();
  }),
  'worker dies': (stage) => (stage.life === null ? null : () => stage.kill()),
  'a page opens and starts another worker': (stage) =>
    stage.life === null ? null : () => stage.startBeside(),
  'browser restarts': always((stage) => stage.restartBrowser()),
} satisfies Record<string, Happen>;

export type EventName = keyof typeof events;

/** Today's worker takes this in its stride only after few events: see `besideOrders`. */
export const besides: EventName = 'a page opens and starts another worker';

/** A sign-out before them is forgotten today. */
const forgetful: readonly EventName[] = [
  'policy signs in when the popup opens',
  'policy signs in when the browser starts',
];

/** All events. */
export const allNames = Object.keys(events) as EventName[];

/** A request beside this one uses the old tokens with the new settings today. */
const careless: EventName = 'policy names another client';

/** The events that the search tries alone. */
export const singleNames: readonly EventName[] = allNames.filter(
  (name) => name !== besides && !forgetful.includes(name),
);

/** The events that the search tries after each other. */
export const eventNames: readonly EventName[] = singleNames.filter((name) => name !== careless);

/** The events of which nothing follows by itself: they change what follows from the next one. */
export const circumstances: ReadonlySet<EventName> = new Set<EventName>([
  'network fails',
  'metadata and keys cannot be had',
  'UserInfo asks to be left alone',
  'hidden pages fail',
  'hidden pages hang',
  'no refresh tokens are issued',
  'APIs refuse every token',
  'provider repeats its input',
  'provider issues an ID token out of time',
  'provider renews with the tokens of another person',
]);

/** The events that can happen now. */
export function possibleEvents(stage: Stage): ReadonlySet<EventName> {
  return new Set(allNames.filter((name) => events[name](stage) !== null));
}
