// What can happen to the worker at any moment.

import type { Command } from '../../../src/session/commands.ts';
import { timeLimits } from './still-time.ts';
import type { Stage } from './stage.ts';

/** Makes it happen; false if it cannot happen now. */
type Happen = (stage: Stage) => boolean | Promise<boolean>;

const command =
  (sent: Command): Happen =>
  (stage) => {
    stage.send(sent);
    return true;
  };

const always =
  (act: (stage: Stage) => void | Promise<void>): Happen =>
  async (stage) => {
    await act(stage);
    return true;
  };

export const events = {
  open: command({ type: 'open' }),
  'sign in': command({ type: 'sign-in', providerId: 'scripted' }),
  'use another account': command({ type: 'use-another-account' }),
  'request scope': command({ type: 'request-scope', scope: 'calendar' }),
  cancel: command({ type: 'cancel' }),
  'show window': command({ type: 'show-window' }),
  'sign out': command({ type: 'sign-out', everywhere: false }),
  'sign out everywhere': command({ type: 'sign-out', everywhere: true }),
  'window appears': (stage) => stage.withWindow('launched', (own) => stage.show(own)),
  'Ada agrees': (stage) => stage.withWindow('shown', (own) => stage.approve(own, 'ada')),
  'Grace agrees': (stage) => stage.withWindow('shown', (own) => stage.approve(own, 'grace')),
  'Ada is signed in without a page': (stage) =>
    stage.withWindow('launched', (own) => stage.approve(own, 'ada')),
  'person closes window': (stage) => stage.withWindow('shown', (own) => stage.close(own)),
  'page cannot be loaded': (stage) =>
    stage.withWindow('launched', (own) => {
      own.status = 'ended';
      own.window.fail('Authorization page could not be loaded.');
    }),
  'another popup opens': always((stage) => stage.openForeignPopup()),
  'feature requests': always((stage) => stage.request()),
  'API refuses the tokens': always((stage) => {
    stage.provider.refuseTokens();
    stage.request();
  }),
  'network fails': always((stage) => {
    stage.isOnline = false;
  }),
  'request times out': () => {
    const limit = timeLimits.findLast(({ signal }) => !signal.aborted);
    limit?.abort(new DOMException('The operation timed out.', 'TimeoutError'));
    return limit !== undefined;
  },
  'provider repeats its input': always((stage) => {
    stage.provider.mood = 'repeats its input';
  }),
  'hosts are allowed': always((stage) => {
    stage.wake();
    stage.fake.allowHosts();
  }),
  'worker dies': async (stage) => {
    if (stage.life === null) return false;
    await stage.kill();
    return true;
  },
  'update is offered': always((stage) => {
    stage.wake();
    stage.fake.offerUpdate();
  }),
} satisfies Record<string, Happen>;

export type EventName = keyof typeof events;

export const eventNames = Object.keys(events) as EventName[];
