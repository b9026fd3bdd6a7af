// A provider that repeats in its answers what it was sent or has sent itself: nothing of it gets to a page.

import { describe, expect, test } from 'vitest';
import { FetchRefused } from '../../src/bridge/fetch/errors.ts';
import { createWall } from '../../src/background/wall.ts';
import { createSecrets } from '../../src/oidc/secrets.ts';
import { journalKey } from '../../src/bridge/report/entries.ts';
import { problem, ProblemError } from '../../src/session/problem.ts';
import { settledSession, signedOut, toSignedIn } from '../../src/session/session.ts';
import { expectSession, hour, open, sent, setUpScene, signedIn } from '../support/fault-scene.ts';
import { rest } from '../support/rest.ts';
import { apiOrigin } from '../support/scripted-api.ts';
import { issuer, provider as scripted, type Answer, type Script } from '../support/scripted-provider.ts';

const accessToken = 'AT.9f8e7d6c5b4a.39281706';
const refreshToken = 'RT/1a2b3c4d5e6f+70819263==';
const code = 'CD-0x1y2z3w4v5u6t';
const email = 'ada.lovelace@example.com';
const token = { access_token: accessToken, refresh_token: refreshToken };
const claims = { email, name: 'Ada Lovelace' };

type Scene = ReturnType<typeof setUpScene>;

/** All parameters that the provider has received, and all that it has sent. */
function everythingKnown({ worker }: Scene): string[] {
  const received = worker.provider.requests.flatMap(({ url, parameters }) =>
    ['code', 'code_verifier', 'refresh_token', 'token', 'state', 'nonce', 'login_hint'].flatMap((name) => [
      ...parameters.getAll(name),
      ...new URL(url).searchParams.getAll(name),
    ]),
  );
  const windows = worker.windows.flatMap(({ url }) =>
    ['state', 'nonce', 'login_hint'].flatMap((name) => new URL(url).searchParams.getAll(name)),
  );
  return [...new Set([accessToken, refreshToken, code, email, ...received, ...windows])];
}

/** An error answer that repeats everything in every place. Each value is its own answer, so that none is cut off. */
const repeat = (value: string): Answer =>
  Response.json(
    { error: value, error_description: `no ${value} here`, error_uri: `${issuer}/${value}`, [value]: value },
    { status: 400, headers: { 'x-error': value } },
  );

/** The problem on the board and the journal show no part of these values. The person on the board is who they are. */
async function expectSafe(scene: Scene, values: readonly string[]): Promise<void> {
  await rest(scene.worker);
  const shown = JSON.stringify([problemOf(scene), scene.worker.local.items.get(journalKey)]).toLowerCase();
  for (const value of values) {
    for (const form of [value, encodeURIComponent(value), Buffer.from(value).toString('base64url')]) {
      expect(shown).not.toContain(form.toLowerCase().slice(0, 12));
      expect(shown).not.toContain(form.toLowerCase().slice(-12));
    }
  }
}

function problemOf({ worker }: Scene) {
  const session = worker.readBoard()?.session;
  return session === undefined ? null : settledSession(session).problem;
}

const detailOf = (scene: Scene) => problemOf(scene)?.detail ?? null;

/** A sign-in whose window comes back with `change`. */
async function signInWith(scene: Scene, change: (url: URL) => void = () => undefined): Promise<void> {
  await scene.worker.send({ type: 'sign-in', providerId: 'scripted', hint: email });
  const window = await scene.worker.nextWindow();
  window.appear();
  const url = new URL(scene.worker.provider.approve(window.url));
  url.searchParams.set('code', code);
  change(url);
  window.redirect(url.href);
  await expect.poll(() => scene.worker.readBoard()?.session.status).not.toBe('signing-in');
}

const renewals = ({ worker }: Scene) => sent(worker, 'refresh_token').length;

/** The values in the newest request and in the window of the attempt. */
function sentTo({ worker }: Scene): string[] {
  const parameters = worker.provider.requests.at(-1)?.parameters ?? new URLSearchParams();
  const names = ['code', 'code_verifier', 'refresh_token', 'state', 'nonce', 'login_hint'];
  const inWindow = new URL(worker.windows.at(-1)?.url ?? issuer).searchParams;
  return names.flatMap((name) => [...parameters.getAll(name), ...inWindow.getAll(name)]);
}

describe('a provider that repeats what it knows', () => {
  test('at the token endpoint shows nothing of the attempt', async () => {
    const scene = setUpScene();
    for (let index = 0; index < 7; index += 1) {
      scene.script.answers = { '/token': () => repeat(sentTo(scene)[index] ?? code) as Response };
      await signInWith(scene);
      expect(detailOf(scene)).toBe('token: … (no … here)');
    }
    await expectSafe(scene, everythingKnown(scene));
  });

  test.each(['state', 'code', 'login_hint'])('in the redirect shows nothing of the %s', async (name) => {
    const scene = setUpScene();
    await signInWith(scene, (url) => {
      const window = new URL(scene.worker.windows.at(-1)?.url ?? issuer).searchParams;
      const value = name === 'code' ? code : (window.get(name) ?? '');
      url.searchParams.set('error', value);
      url.searchParams.set('error_description', `no ${value} here`);
    });
    expect(detailOf(scene)).toBe('sign-in: … (no … here)');
    await expectSafe(scene, everythingKnown(scene));
  });

  test('at the endpoint for pushed requests shows nothing of the request', async () => {
    const scene = setUpScene(
      { metadata: { pushed_authorization_request_endpoint: `${issuer}/par` } },
      { providers: [{ ...scripted, par: 'always' }] },
    );
    const metadata = { require_pushed_authorization_requests: true };
    scene.script.metadata = { ...scene.script.metadata, ...metadata };
    for (const name of ['state', 'nonce', 'login_hint']) {
      scene.script.answers = {
        '/par': () => repeat(scene.worker.provider.requests.at(-1)?.parameters.get(name) ?? '') as Response,
      };
      await scene.worker.send({ type: 'sign-in', providerId: 'scripted', hint: email });
      await expectSession(scene.worker, { problem: { detail: 'pushed request: … (no … here)' } });
      await scene.worker.send({ type: 'sign-out', everywhere: false });
    }
    await expectSafe(scene, everythingKnown(scene));
  });

  test.each([accessToken, refreshToken, email, 'Ada Lovelace', 'Lovelace'])(
    'at a renewal shows nothing of %s, also to a worker that has just started',
    async (value) => {
      const scene = await signedIn({ token, claims });
      scene.clock.nowMs += hour;
      scene.script.answers = {
        '/token': Response.json(
          { error: 'invalid_request', error_description: `no ${value} here, ${encodeURIComponent(value)}` },
          { status: 400 },
        ),
      };
      let before = 0;
      for (const restart of [() => undefined, () => scene.worker.restartWorker()]) {
        restart();
        scene.clock.nowMs += hour;
        await open(scene.worker);
        await expect.poll(() => renewals(scene)).toBe((before += 1));
        await expectSession(scene.worker, {
          problem: { code: 'provider-misconfigured', detail: 'renewal: invalid_request (no … here, …)' },
        });
        await expectSafe(scene, everythingKnown(scene));
      }
    },
  );

  test.each<[string, Script, RegExp]>([
    [
      'as its issuer',
      { metadata: { issuer: `https://x.example/${refreshToken}` } },
      /calls itself https:\/\/x.example\/…/,
    ],
    [
      'as the host of an endpoint',
      { metadata: { token_endpoint: `https://${email.replace('@', '.')}/token` } },
      /./,
    ],
    ['as the type of the token', { token: { ...token, token_type: refreshToken } }, /./],
    ['as an algorithm', { idToken: () => `${btoa(JSON.stringify({ alg: refreshToken }))}.e30.x` }, /./],
  ])('%s shows nothing of it', async (_title, script, detail) => {
    const scene = await signedIn({ token, claims });
    Object.assign(scene.script, script);
    // Otherwise the session would end without a detail.
    scene.worker.silence.answer = () => Promise.reject(new Error('Authorization page could not be loaded.'));
    scene.clock.nowMs += 48 * hour;
    scene.script.claims = { ...claims, nonce: undefined };
    scene.worker.restartWorker();
    await open(scene.worker);
    await expect.poll(() => detailOf(scene)).toMatch(detail);
    await expectSafe(scene, [accessToken, refreshToken]);
    expect(detailOf(scene)).not.toContain('lovelace');
  });

  test('in the answer to a revocation and at UserInfo shows nothing of it', async () => {
    const scene = await signedIn({
      token,
      claims: { ...claims, picture: undefined },
      answers: {
        '/userinfo': () => repeat(accessToken) as Response,
        '/revoke': () => repeat(refreshToken) as Response,
      },
    });
    await scene.worker.send({ type: 'sign-out', everywhere: false });
    await expect.poll(() => scene.worker.provider.paths()).toContain('/revoke');
    await expectSession(scene.worker, { status: 'signed-out' });
    await expectSafe(scene, everythingKnown(scene));
  });

  test('with a detail that is cut shows no part of it', async () => {
    const scene = await signedIn({ token, claims });
    for (let length = 255; length < 290; length += 3) {
      const error_description = `${'x '.repeat(length).slice(0, length)}${refreshToken}${email}`;
      scene.script.answers = {
        '/token': Response.json({ error: 'invalid_request', error_description }, { status: 400 }),
      };
      scene.clock.nowMs += hour;
      await open(scene.worker);
      await expect.poll(() => detailOf(scene)).toMatch(/x …?/);
      expect(detailOf(scene)?.toLowerCase()).not.toContain(refreshToken.toLowerCase().slice(0, 8));
      expect(detailOf(scene)).not.toContain('ada.lo');
      scene.script.answers = { '/token': () => Promise.reject(new TypeError('Failed to fetch')) };
      scene.clock.nowMs += hour;
      await open(scene.worker);
      await expectSession(scene.worker, { problem: { code: 'provider-unreachable' } });
    }
  });

  test('to a feature that fetches shows nothing of it', async () => {
    const provider = { ...scripted, apiOrigins: [apiOrigin] };
    const scene = await signedIn({ token, claims }, { providers: [provider] });
    scene.clock.nowMs += hour;
    scene.script.answers = {
      '/token': Response.json({ error: 'invalid_request', error_description: refreshToken }, { status: 400 }),
    };
    const refusal: unknown = await scene.worker.fetch(`${apiOrigin}/`).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      reason: 'renewal-failed',
      message: expect.stringContaining('renewal: invalid_request (…)'),
    });
  });

  test('to a feature that fetches shows no beginning of a value that was cut', async () => {
    const provider = { ...scripted, apiOrigins: [apiOrigin] };
    const scene = await signedIn({ token, claims }, { providers: [provider] });
    for (let length = 200; length < 300; length += 1) {
      const error_description = `${'no '.repeat(100).slice(0, length)}${email}`;
      scene.script.answers = {
        '/token': Response.json({ error: 'invalid_request', error_description }, { status: 400 }),
      };
      scene.clock.nowMs += hour;
      const refusal = await scene.worker.fetch(`${apiOrigin}/`).catch((error: unknown) => String(error));
      expect(refusal).toContain('no no no');
      expect(refusal).not.toContain(email.slice(0, 6));
    }
  });

  test('in the refusal of a silent sign-in shows nothing of the ID token, also to a worker that has just started', async () => {
    const scene = await signedIn({ token: { ...token, refresh_token: undefined }, claims });
    const hints: string[] = [];
    scene.worker.silence.answer = (asked) => {
      const hint = new URL(asked).searchParams.get('id_token_hint') ?? '';
      hints.push(hint);
      const url = new URL(scene.worker.provider.approve(asked));
      url.searchParams.delete('code');
      url.searchParams.set('error', 'temporarily_unavailable');
      url.searchParams.set('error_description', `no ${hint.slice(0, 200)}`);
      return Promise.resolve(url.href);
    };
    for (const restart of [() => undefined, () => scene.worker.restartWorker()]) {
      restart();
      scene.clock.nowMs += hour;
      await open(scene.worker);
      await rest(scene.worker);
      await expectSession(scene.worker, { problem: { detail: 'sign-in: temporarily_unavailable (no …)' } });
    }
    expect(hints).toHaveLength(2);
    await expectSafe(scene, hints);
  });

  test('as the name of the person shows no name', async () => {
    const picture = `https://pictures.example/?${refreshToken}`;
    const { worker } = await signedIn({
      token,
      claims: { name: `Ada ${refreshToken}`, email: accessToken, picture },
    });
    expect(worker.readBoard()?.session).toMatchObject({
      profile: { name: null, email: null, emailVerified: false, picture: null },
    });
  });
});

describe('the wall', () => {
  const secrets = createSecrets();
  secrets.addSecrets([refreshToken]);
  const wall = createWall(['scripted'], () => [{ client: { secrets } as never }]);
  const request = new Request(apiOrigin);

  test('guards the problem of a reply, refused or thrown', async () => {
    const refused = wall.guardReplies(() =>
      Promise.resolve({ ok: false, problem: problem('unexpected', `no ${refreshToken}`) }),
    );
    const thrown = wall.guardReplies(() =>
      Promise.reject(new ProblemError('unexpected', `no ${refreshToken}`)),
    );
    for (const handle of [refused, thrown]) {
      expect(await handle({ type: 'open' })).toEqual({
        ok: false,
        problem: { code: 'unexpected', detail: 'no …' },
      });
    }
    expect(await wall.guardReplies(() => Promise.resolve({ ok: true }))({ type: 'open' })).toEqual({
      ok: true,
    });
  });

  test('guards the message of a refused fetch, and passes on every other result', async () => {
    const refusal = new FetchRefused('redirect-refused', `https://${refreshToken}.example`);
    const failure = new TypeError('Failed to fetch');
    await expect(wall.guardFetch(() => Promise.reject(refusal))(request)).rejects.toEqual(
      new FetchRefused('redirect-refused', 'https://….example'),
    );
    await expect(wall.guardFetch(() => Promise.reject(failure))(request)).rejects.toBe(failure);
    const response = new Response();
    expect(await wall.guardFetch(() => Promise.resolve(response))(request)).toBe(response);
  });

  test('guards a problem for as long as it is shown, also when the secret is forgotten', () => {
    const session = { ...signedOut, problem: problem('denied', `no ${refreshToken}`) };
    expect(wall.guardSession(session)).toMatchObject({ problem: { detail: 'no …' } });
    secrets.addSecrets(Array.from({ length: 200 }, (_, index) => `another secret ${index}`));
    expect(wall.guardSession(session)).toMatchObject({ problem: { detail: 'no …' } });
  });

  test('guards the session under a running sign-in', () => {
    const ada = {
      providerId: 'scripted',
      subject: 'subject-1',
      name: 'Ada Lovelace',
      email,
      emailVerified: true,
      picture: null,
    };
    const before = { ...toSignedIn(ada, 0), problem: problem('denied', `no ${email}`) };
    const session = {
      status: 'signing-in',
      providerId: 'scripted',
      request: { type: 'sign-in', providerId: 'scripted' },
      attempt: 1,
      startedAtMs: 0,
      before,
    } as const;
    expect(wall.guardSession(session)).toEqual({
      ...session,
      before: { ...before, problem: { code: 'denied', detail: 'no …' } },
    });
  });
});
