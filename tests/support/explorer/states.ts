// The states in which the worker is found.

import { events, type EventName } from './events.ts';
import { revoke } from './ledger.ts';
import { deviceProvider, idTokenProvider, otherProvider, plainProvider, provider } from './providers.ts';
import { nothing, Stage, type Remains, type StageOptions } from './stage.ts';

const hourMs = 60 * 60_000;

const toName = (providers: Remains['providers']) => providers.map(({ id }) => id).join(', ');

/** The remains of earlier workers, made once. */
const remains = new Map<string, Promise<Remains>>();

const once = (name: string, make: () => Promise<Remains>) => {
  const made = remains.get(name) ?? make();
  remains.set(name, made);
  return made;
};

/** The worker has the other provider too in few states, because each one costs every order a little. */
const both = [provider, otherProvider];

const installed = (
  persistence: Remains['persistence'] = 'device',
  providers: Remains['providers'] = [provider],
) =>
  once(`installed, ${persistence}, ${toName(providers)}`, async () => {
    const stage = new Stage({ ...nothing, persistence, providers });
    stage.wake();
    stage.fake.install();
    await stage.drain();
    // Metadata and keys are in the cache, as they are whenever a popup was open before.
    stage.send({ type: 'open' });
    await stage.drain();
    return stage.remains();
  });

const signedIn = (
  persistence: Remains['persistence'] = 'device',
  providers: Remains['providers'] = [provider],
) =>
  once(`signed in, ${persistence}, ${toName(providers)}`, async () => {
    const stage = new Stage(await installed(persistence, providers));
    await launch(stage);
    if (providers[0] === deviceProvider) await happen(stage, 'Ada enters the code');
    else {
      await happen(stage, 'window appears');
      await happen(stage, 'Ada agrees');
    }
    if (stage.board()?.session.status !== 'signed-in') throw new Error('Ada could not be signed in.');
    return stage.remains();
  });

/** Ada at the other client, whose tokens are bound to a key. */
const signedInElsewhere = () =>
  once('signed in with the other provider', async () => {
    const stage = new Stage(await installed('device', both));
    await happen(stage, 'sign in with the other provider');
    await happen(stage, 'window appears');
    await happen(stage, 'Ada agrees');
    return stage.remains();
  });

const later = (found: Remains, hours: number): Remains => ({ ...found, nowMs: found.nowMs + hours * hourMs });

async function happen(stage: Stage, event: EventName): Promise<void> {
  const happens = events[event](stage);
  if (happens === null) throw new Error(`Not possible here: ${event}.`);
  await happens();
  await stage.drain();
}

/** A sign-in whose window is about to appear. */
async function launch(stage: Stage): Promise<void> {
  await happen(stage, 'sign in');
}

/** A worker that is in the middle of something: `happened` to it before. */
async function after(found: Remains, options: StageOptions, happened: readonly EventName[]): Promise<Stage> {
  const stage = new Stage(found, options);
  for (const event of happened) await happen(stage, event);
  return stage;
}

/** A session whose grant the provider has ended, while `person` is signed in there. */
async function refused(person: Remains['person'], options: StageOptions): Promise<Stage> {
  const found = later(await signedIn(), 1);
  const stage = new Stage({ ...found, person }, options);
  for (const name of stage.provider.ledger.refreshTokens.keys()) revoke(stage.provider.ledger, name);
  return stage;
}

/** Ada's session has ended, and she is known as the last account. She is signed in at the provider again. */
const expired = () =>
  once('expired', async () => {
    const stage = await refused(null, { manner: 'chromium' });
    await happen(stage, 'open');
    if (stage.board()?.session.status !== 'signed-out') throw new Error('The session has not ended.');
    return { ...(await stage.remains()), person: 'ada' as const };
  });

/** A session without a refresh token, whose access token has expired, and nobody is signed in at the provider. */
const withoutRefreshToken = (providers: Remains['providers'] = [provider]) =>
  once(`without a refresh token, ${toName(providers)}`, async () => {
    const stage = new Stage(await installed('device', providers));
    stage.provider.troubles.add('no refresh tokens are issued');
    await launch(stage);
    await happen(stage, 'window appears');
    await happen(stage, 'Ada agrees');
    return { ...later(await stage.remains(), 1), person: null };
  });

/** Nobody is signed in, Ada is at the provider, and a policy signs her in without a click. */
const signedInByPolicy = (rule: NonNullable<Remains['policy']['rule']>) =>
  once(`signed out, ${rule}`, async () => {
    const stage = new Stage(await installed());
    stage.changePolicy({ rule });
    await stage.drain();
    return { ...(await stage.remains()), person: 'ada' as const };
  });

const byIdToken = [idTokenProvider];
const plain = [plainProvider];
const byCode = [deviceProvider];

/** In the states without a window or a flow, the worker is asleep, and the first event wakes it. */
export const states = {
  'signed out': async (options) => new Stage(await installed(), options),
  'signed in as Ada': async (options) => new Stage(await signedIn(), options),
  'signed in as Ada until the browser closes': async (options) =>
    new Stage(await signedIn('browser'), options),
  'signed in as Ada, tokens stale': async (options) => new Stage(later(await signedIn(), 1), options),
  'signed in as Ada, tokens stale, metadata too old': async (options) =>
    new Stage(later(await signedIn(), 48), options),
  'signed in as Ada, her grant ended, Ada at the provider': (options) => refused('ada', options),
  'signed in as Ada, her grant ended, Grace at the provider': (options) => refused('grace', options),
  'signed out with a revocation pending': async (options) =>
    new Stage(
      await once('revocation pending', async () => {
        const stage = new Stage(await signedIn());
        await happen(stage, 'network fails');
        await happen(stage, 'sign out');
        return stage.remains();
      }),
      options,
    ),
  'signed out since the session of Ada expired': async (options) => new Stage(await expired(), options),
  'signed in as Ada, no refresh token, nobody at the provider': async (options) =>
    new Stage(await withoutRefreshToken(), options),
  'signed in as Ada with the other provider, tokens stale': async (options) =>
    new Stage(later(await signedInElsewhere(), 1), options),
  'changing from Ada to the other provider, window open': async (options) =>
    after(await signedIn('device', both), options, ['sign in with the other provider', 'window appears']),
  'signing in, no window yet': async (options) => after(await installed(), options, ['sign in']),
  'signing in, window open': async (options) =>
    after(await installed(), options, ['sign in', 'window appears']),
  'changing from Ada to another account, window open': async (options) =>
    after(await signedIn(), options, ['use another account', 'window appears']),
  'changing from Ada to another account, window open, tokens stale': async (options) =>
    after(later(await signedIn(), 1), options, ['use another account', 'window appears']),
  'asking Ada for more scope, window open': async (options) =>
    after(await signedIn(), options, ['request scope', 'window appears']),
  'signing in with a window that its worker did not outlive': async (options) =>
    after(await installed(), options, ['sign in', 'window appears', 'worker dies']),
  'signing in again after a cancel, no window yet': async (options) =>
    after(await installed(), options, ['sign in', 'cancel', 'sign in']),
  'signing in after signing out everywhere, no window yet': async (options) =>
    after(await signedIn(), options, ['sign out everywhere', 'sign in']),
  'signed out everywhere, window open': async (options) =>
    after(await signedIn(), options, ['sign out everywhere', 'window appears']),
  'signing in with an ID token, window open': async (options) =>
    after(await installed('device', byIdToken), options, ['sign in', 'window appears']),
  'signed in as Ada with an ID token, which is stale': async (options) =>
    new Stage(later(await signedIn('device', byIdToken), 1), options),
  'changing from Ada with an ID token, window open': async (options) =>
    after(await signedIn('device', byIdToken), options, ['use another account', 'window appears']),
  'signing in with plain OAuth, window open': async (options) =>
    after(await installed('device', plain), options, ['sign in', 'window appears']),
  'signed in as Ada with plain OAuth, tokens stale': async (options) =>
    new Stage(later(await signedIn('device', plain), 1), options),
  'signed in as Ada with plain OAuth, no refresh token, token stale': async (options) =>
    new Stage(await withoutRefreshToken(plain), options),
  'signed out, by code': async (options) => new Stage(await installed('device', byCode), options),
  'showing a code': async (options) => after(await installed('device', byCode), options, ['sign in']),
  'showing a code that its worker did not outlive': async (options) =>
    after(await installed('device', byCode), options, ['sign in', 'worker dies']),
  'signed in as Ada by code, tokens stale': async (options) =>
    new Stage(later(await signedIn('device', byCode), 1), options),
  'changing from Ada to another account, showing a code': async (options) =>
    after(await signedIn('device', byCode), options, ['use another account']),
  'signed out, to be signed in when the popup opens': async (options) =>
    new Stage(await signedInByPolicy('sign in when the popup opens'), options),
  'signed out, to be signed in when the browser starts': async (options) =>
    new Stage(await signedInByPolicy('sign in when the browser starts'), options),
} satisfies Record<string, (options: StageOptions) => Promise<Stage>>;

export type StateName = keyof typeof states;

export const stateNames = Object.keys(states) as StateName[];
