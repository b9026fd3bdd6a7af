// Each token that a provider sends is stored, or revoked in the end: whatever way it comes, and whatever makes it unwanted.

import { afterEach, expect, test, vi } from 'vitest';
import { ProblemError } from '../../src/session/problem.ts';
import { deferred } from '../support/deferred.ts';
import { issued as issuedCode, refusal } from '../support/device-scene.ts';
import { hour, setUpWorker, type WorkerSetup } from '../support/worker-setup.ts';
import { apiOrigin, payOrigin } from '../support/scripted-api.ts';
import { issuer, provider as scripted, type Script } from '../support/scripted-provider.ts';

const pay = { name: 'Payments', origins: [payOrigin], scope: 'pay', resource: null, audience: null };
const provider = { ...scripted, apiOrigins: [apiOrigin], apis: [pay] };

/** A token that the provider has issued: a refresh token, or an access token that it sent without one. */
interface Issued {
  readonly token: string;
  /** The refresh token that was sent for it. */
  readonly from: string | null;
}

/** A worker, and a provider whose tokens all differ. `rotates` says whether each answer has a refresh token, or only the first. */
function setUp(rotates: boolean, setup: WorkerSetup = {}) {
  const script: Script = { metadata: { device_authorization_endpoint: `${issuer}/device` } };
  const worker = setUpWorker({ providers: [provider], ...setup, script });
  const issued: Issued[] = [];
  /** Those that the provider has replaced. */
  const spent = new Set<string>();
  const scene = {
    worker,
    /** The fault of the next ID tokens. */
    fault: {},
    /** Whether refresh tokens are refused. */
    isRefusing: false,
    /** Whether answers without a refresh token before them have one. */
    issuesFirst: rotates,
    /** How long access tokens last. */
    lifetimeSeconds: 3600,
    /** Awaited before an answer. */
    gate: async () => {},
    /** The tokens that still work, and that nothing holds. */
    findLost() {
      const over = new Set([...worker.revoked(), ...spent]);
      // To revoke a refresh token ends the access tokens that came with it (RFC 7009 section 2.1).
      return issued.filter(({ token, from }) => !over.has(token) && (from === null || !over.has(from)));
    },
  };
  const answerToken = async () => {
    const { parameters } = worker.provider.requests.findLast(({ path }) => path === '/token')!;
    const from = parameters.get('refresh_token');
    if (from !== null && scene.isRefusing) return refusal('invalid_grant');
    await scene.gate();
    const count = issued.length + 1;
    const hasRefresh = rotates || (from === null && scene.issuesFirst);
    script.claims = { ...(!parameters.has('code') && { nonce: undefined }), ...scene.fault };
    script.token = {
      access_token: `access-${count}`,
      refresh_token: hasRefresh ? `refresh-${count}` : undefined,
      scope: parameters.get('scope') ?? undefined,
      expires_in: scene.lifetimeSeconds,
    };
    const answer = await worker.provider.tokenAnswer();
    issued.push({ token: `${hasRefresh ? 'refresh' : 'access'}-${count}`, from });
    if (from !== null && hasRefresh) spent.add(from);
    return Response.json(answer);
  };
  script.answers = { '/device': issuedCode, '/token': answerToken };
  return { ...scene, scene, script, answers: script.answers };
}

type Setting = ReturnType<typeof setUp>;
type Scene = Setting['scene'];

async function signInFirst(scene: Scene): Promise<void> {
  scene.issuesFirst = true;
  await scene.worker.signIn();
  await scene.worker.rest();
}

/** A way in which tokens come. */
interface Way {
  readonly setup?: WorkerSetup;
  /** Whether the user sees it as a sign-in. */
  readonly isShown?: true;
  /** How many answers come before the one that is meant. */
  readonly answersBefore?: number;
  /** The steps before, such as a sign-in. */
  readonly prepare?: (scene: Scene) => Promise<void>;
  readonly begin: (scene: Scene) => Promise<unknown>;
}

/** Lets the timers of a code pass. */
const enterCode = () => vi.advanceTimersByTimeAsync(5_000);

const ways: Readonly<Record<string, Way>> = {
  'a sign-in in the window': {
    isShown: true,
    begin: async ({ worker }) => worker.approve(await worker.begin()),
  },
  'an automatic sign-in': {
    setup: { autoSignIn: 'popup' },
    async begin({ worker }) {
      worker.silence.answer = worker.provider.approve;
      await worker.open();
    },
  },
  'a renewal': { prepare: signInFirst, begin: ({ worker }) => worker.openAfter(hour) },
  'a silent sign-in in place of a renewal': {
    prepare: signInFirst,
    begin({ worker, ...scene }) {
      scene.isRefusing = true;
      worker.silence.answer = worker.provider.approve;
      return worker.openAfter(hour);
    },
  },
  "a request for an API's token": {
    prepare: signInFirst,
    begin: async ({ worker }) => void worker.fetch(`${payOrigin}/bills`).catch(() => undefined),
  },
  'a step-up': {
    isShown: true,
    prepare: signInFirst,
    async begin({ worker }) {
      worker.clock.nowMs += 60_000;
      const order = { type: 'step-up', acrValues: 'mfa', maxAgeSeconds: null, api: payOrigin } as const;
      worker.approve(await worker.begin(order));
    },
  },
  "a scope for an API, with that API's token": {
    isShown: true,
    answersBefore: 1,
    prepare: signInFirst,
    begin: async ({ worker }) =>
      worker.approve(await worker.begin({ type: 'request-scope', scope: 'pay.write', api: payOrigin })),
  },
  'a code that the user has entered': {
    setup: { providers: [{ ...provider, deviceFlow: 'only' }] },
    isShown: true,
    async begin({ worker }) {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
      await worker.send({ type: 'sign-in', providerId: 'scripted' });
      await worker.rest();
      await enterCode();
    },
  },
};

/** The ways to make an answer unwanted while it is on its way. `arrive` lets it come. */
const happenings: Readonly<
  Record<string, (setting: Setting, way: Way, arrive: () => Promise<void>) => Promise<void>>
> = {
  async 'a check of it fails'({ scene }, _way, arrive) {
    scene.fault = { aud: 'another', acr: 'mfa' };
    await arrive();
  },
  async 'the user signs out'({ worker }, _way, arrive) {
    await worker.signOut();
    await arrive();
  },
  async 'the user cancels'({ worker }, { isShown }, arrive) {
    await (isShown ? worker.cancel() : worker.signOut());
    await arrive();
  },
  async 'another user signs in first'({ scene }, { setup, isShown }, arrive) {
    const { worker } = scene;
    if (isShown) await worker.cancel();
    scene.gate = async () => {};
    scene.fault = { sub: 'grace' };
    if (setup?.providers) {
      await worker.send({ type: 'sign-in', providerId: 'scripted' });
      await worker.rest();
      await enterCode();
    } else worker.approve(await worker.begin({ type: 'use-another-account', providerId: 'scripted' }));
    await worker.rest();
    expect(worker.session()).toMatchObject({ status: 'signed-in', profile: { subject: 'grace' } });
    scene.fault = {};
    await arrive();
  },
  async 'nothing can be stored'({ worker }, _way, arrive) {
    worker.disk.failure = new ProblemError('storage-failed');
    await arrive();
    worker.disk.failure = null;
  },
  async 'the worker dies before it has revoked it'({ scene, answers }, _way, arrive) {
    scene.fault = { aud: 'another' };
    answers['/revoke'] = () => Promise.race<Response>([]);
    await arrive();
    delete answers['/revoke'];
    scene.worker.restartWorker();
  },
};

afterEach(() => void vi.useRealTimers());

/** Lets an answer of this way be on its way. Resolves with what lets it come. */
async function hold(
  { scene }: Setting,
  { prepare, begin, answersBefore = 0 }: Way,
): Promise<() => Promise<void>> {
  const { worker } = scene;
  await prepare?.(scene);
  const gate = deferred<void>();
  const asked = deferred<void>();
  let before = answersBefore;
  scene.gate = async () => {
    before -= 1;
    if (before >= 0) return;
    asked.resolve();
    await gate.promise;
  };
  void begin(scene);
  await asked.promise;
  return async () => {
    scene.gate = async () => {};
    gate.resolve();
    await worker.rest();
  };
}

/** The user signs out and everything works: nothing that was issued may be left. */
async function expectNothingLeft({ scene, findLost }: Setting): Promise<void> {
  const { worker } = scene;
  const { session } = await worker.held();
  expect(worker.revoked()).not.toContain(session?.refreshToken ?? 'none');
  scene.fault = {};
  await worker.signOut();
  await worker.rest();
  vi.useRealTimers();
  // The pause after a request without an answer is over.
  worker.clock.nowMs += 60_000;
  worker.restartBrowser();
  await worker.open();
  await worker.rest();
  expect((await worker.held()).pendingRevocations).toEqual([]);
  expect(findLost()).toEqual([]);
}

const all = Object.entries(ways).flatMap(([way, members]) =>
  [true, false].map((rotates) => ({ way, members, rotates, what: rotates ? 'refresh' : 'access' })),
);

test.each(
  Object.entries(happenings).flatMap(([happening, happen]) =>
    all.map((one) => ({ ...one, happening, happen })),
  ),
)(
  'no token stays alive that nothing holds: the $what token of $way, if $happening',
  async ({ members, rotates, happen }) => {
    const setting = setUp(rotates, members.setup);
    const arrive = await hold(setting, members);
    await happen(setting, members, arrive);
    await expectNothingLeft(setting);
  },
);

test.each(all)(
  'a token is kept until the user signs out: the $what token of $way',
  async ({ members, rotates }) => {
    const setting = setUp(rotates, members.setup);
    const { scene } = setting;
    scene.fault = { acr: 'mfa' };
    const arrive = await hold(setting, members);
    await arrive();
    expect(scene.worker.session()).toMatchObject({ status: 'signed-in', problem: null });
    expect(scene.worker.revoked()).toEqual([]);
    await expectNothingLeft(setting);
  },
);

test('an access token that seems to last for ever is revoked too, by the next worker', async () => {
  const setting = setUp(false);
  const { scene, answers } = setting;
  scene.lifetimeSeconds = 1e306;
  const arrive = await hold(setting, ways['a sign-in in the window']!);
  await happenings['the worker dies before it has revoked it']!(setting, { begin: arrive }, arrive);
  expect(answers).not.toHaveProperty('/revoke');
  expect((await scene.worker.held()).pendingRevocations).toHaveLength(1);
  await expectNothingLeft(setting);
});
