// A browser does not say which window it opened for a flow, and any page may open one at the same moment. Only a window
// that proves to be ours is raised or closed.

import { beforeEach, describe, expect, test, vi } from 'vitest';
import { deferred } from '../support/deferred.ts';
import {
  discovery,
  expectSignInToWork,
  hour,
  interrupted,
  signedIn,
  signingIn,
  setUpWorker,
  type WorkerSetup,
} from '../support/worker-setup.ts';
import { issuer, provider as scripted, type Script } from '../support/scripted-provider.ts';
import type { Command } from '../../src/session/commands.ts';
import type { SigningIn } from '../../src/session/view.ts';
import type { Manner } from '../support/fake-browser.ts';

/** A sign-in whose window has not appeared. */
async function starting(setup: WorkerSetup = {}) {
  const worker = setUpWorker(setup);
  return { worker, window: await worker.begin() };
}

const elsewhere = 'https://elsewhere.example/login';
const providerPage = `${issuer}/interaction/8f2a`;

const cancelled = { code: 'cancelled', window: 'left-open' };

describe('a window of someone else', () => {
  test('stays open after a sign-in was cancelled whose page hangs', async () => {
    const { worker } = await starting();
    await worker.cancel();
    const foreign = [elsewhere, providerPage, null].map((page) => worker.openForeignWindow(page));
    await worker.showWindow();
    expect(foreign.map(({ isOpen }) => isOpen)).toEqual([true, true, true]);
  });

  test.each([[elsewhere], [null]])(
    'that opens while a sign-in starts, with %s in it, is left alone',
    async (page) => {
      const { worker } = await starting();
      const foreign = worker.openForeignWindow(page);
      expect(await worker.showWindow()).toMatchObject({ ok: false });
      await worker.cancel();
      expect(foreign).toMatchObject({ focused: 0, isOpen: true });
      expect(worker.session()).toMatchObject({ problem: cancelled });
    },
  );

  test('that has closed again does not keep ours from being known by its place', async () => {
    const { worker, window } = await starting();
    worker.openForeignWindow(elsewhere).close();
    window.page = providerPage;
    window.appear();
    expect(await worker.showWindow()).toEqual({ ok: true });
  });
});

describe('the window of a sign-in', () => {
  describe('waits ten seconds for a cancelled one that does not end', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
    async function signInAfterHang(manner: Manner) {
      const { worker, window: first } = await starting({ manner });
      await worker.cancel();
      await worker.untilSettled();
      await worker.send({ type: 'sign-in', providerId: 'scripted' });
      await worker.expectSession({ status: 'signing-in' });
      return { worker, first };
    }

    /** Lets time pass until the wait is over. The worker's own steps take no time of this clock. */
    async function expectToWait(isOver: () => boolean): Promise<void> {
      let seconds = 0;
      for (; !isOver(); seconds += 1) {
        await vi.advanceTimersByTimeAsync(1_000);
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(seconds).toBeGreaterThanOrEqual(10);
    }

    test('and then opens in Firefox', async () => {
      const { worker } = await signInAfterHang('firefox');
      await expectToWait(() => worker.windows.length === 2);
    });

    test('and then has timed out in Chromium, which has one flow at a time, until that one ends', async () => {
      const { worker, first } = await signInAfterHang('chromium');
      await expectToWait(() => worker.session()?.status !== 'signing-in');
      expect(worker.session()).toMatchObject({ problem: { code: 'timed-out', window: 'left-open' } });
      expect(worker.windows).toEqual([first]);
      expect(worker.provider.paths()).not.toContain('/authorize');
      first.cannotLoad();
      vi.useRealTimers();
      expect((await worker.signIn()).session).toMatchObject({ status: 'signed-in', problem: null });
    });
  });

  describe('whose page hangs, and in which the user finishes after a cancel,', () => {
    async function startAgain(manner: Manner, command: Command) {
      const { worker, window } = await starting({ manner });
      await worker.cancel();
      await worker.untilSettled();
      await worker.send(command);
      await worker.boardWhere((board) => board.session.status === 'signing-in');
      return { worker, window };
    }
    const same = { type: 'sign-in', providerId: 'scripted' } as const;

    test.each(['chromium', 'firefox'] as const)('signs in the same request of now (%s)', async (manner) => {
      const { worker, window } = await startAgain(manner, same);
      worker.approve(window);
      expect(await worker.untilSettled()).toMatchObject({ status: 'signed-in', problem: null });
      expect(worker.windows).toEqual([window]);
    });

    test.each(['chromium', 'firefox'] as const)('signs in a second try (%s)', async (manner) => {
      const { worker, window } = await starting({ manner });
      const { attempt } = worker.session() as SigningIn;
      await worker.send({ type: 'try-again', attempt });
      worker.approve(window);
      expect(await worker.untilSettled()).toMatchObject({ status: 'signed-in', problem: null });
      expect(worker.windows).toEqual([window]);
    });

    test('shows why the provider refuses the same request of now', async () => {
      const { worker, window } = await startAgain('chromium', same);
      window.redirect(worker.provider.decline(window.url, 'invalid_scope'));
      expect(await worker.untilSettled()).toMatchObject({ problem: { diagnosis: { cause: 'request' } } });
    });

    test('signs no one in for another request, which opens its own window', async () => {
      const { worker, window } = await startAgain('chromium', { ...same, hint: 'grace@example.com' });
      worker.approve(window);
      await expect.poll(() => worker.windows).toHaveLength(2);
      expect(worker.provider.paths()).not.toContain('/token');
    });

    test('before the next request is made signs no one in', async () => {
      const { worker, window } = await starting();
      await worker.cancel();
      await worker.untilSettled();
      worker.approve(window);
      await worker.rest();
      await worker.begin();
      expect(worker.windows).toHaveLength(2);
      expect(worker.count('/token')).toBe(0);
    });

    test('signs no one in if that is cancelled too', async () => {
      const { worker, window } = await startAgain('chromium', same);
      await worker.cancel();
      worker.approve(window);
      await worker.rest();
      expect(worker.provider.paths()).not.toContain('/token');
      expect(worker.readBoard()?.session.status).toBe('signed-out');
    });
  });

  test('is not waited for if it is of someone else, in a browser that has one flow at a time', async () => {
    const worker = setUpWorker({ manner: 'chromium' });
    await worker.open();
    void worker.browser.identity.launchWebAuthFlow({ url: elsewhere, interactive: true });
    await worker.send({ type: 'sign-in', providerId: 'scripted' });
    expect(await worker.untilSettled()).toMatchObject({
      problem: { code: 'timed-out', window: 'left-open' },
    });
  });

  test('that carries nothing of the request is known while it is the only one at the provider', async () => {
    const { worker, window } = await starting();
    window.page = providerPage;
    window.appear();
    expect(await worker.showWindow()).toEqual({ ok: true });
    await worker.cancel();
    expect(window).toMatchObject({ focused: 1, isOpen: false });
    expect(worker.session()).toMatchObject({ status: 'signed-out', problem: null });
  });

  test('that carries nothing of the request is in doubt when a second one opens at the provider', async () => {
    const { worker, window } = await starting();
    const foreign = worker.openForeignWindow(providerPage);
    await worker.showWindow();
    window.page = providerPage;
    window.appear();
    expect(await worker.showWindow()).toMatchObject({ ok: false });
    await worker.cancel();
    expect([foreign.isOpen, window.isOpen]).toEqual([true, true]);
    expect(worker.session()).toMatchObject({ problem: { window: 'left-open' } });
  });

  test('that was known by its place and is in doubt since is left open by the next worker', async () => {
    const { worker, window } = await starting();
    window.page = providerPage;
    window.appear();
    expect(await worker.showWindow()).toEqual({ ok: true });
    const foreign = worker.openForeignWindow(providerPage);
    expect(await worker.showWindow()).toMatchObject({ ok: false });
    worker.restartWorker();
    await worker.cancel();
    expect([foreign.isOpen, window.isOpen]).toEqual([true, true]);
  });

  test('that carries nothing of the request is left open by the next sign-in', async () => {
    const { worker, window: first } = await starting();
    first.page = providerPage;
    await worker.cancel();
    await worker.send({ type: 'sign-in', providerId: 'scripted' });
    first.appear();
    await worker.showWindow();
    expect(first.isOpen).toBe(true);
    first.close();
    worker.approve(await worker.nextWindow());
    expect(await worker.untilSettled()).toMatchObject({ status: 'signed-in', problem: null });
  });

  test('at a host that may not be seen is not raised or closed until it comes back to one that may', async () => {
    const { worker, window } = await starting();
    window.page = null;
    window.appear();
    expect(await worker.showWindow()).toMatchObject({ ok: false, problem: { code: 'sign-in-page-failed' } });
    window.page = window.url;
    expect(await worker.showWindow()).toEqual({ ok: true });
  });

  test('is known by the reference of a pushed request, on the pages of the provider alone', async () => {
    const reference = 'urn:ietf:params:oauth:request_uri:8f2a';
    const script: Script = {
      metadata: { pushed_authorization_request_endpoint: `${issuer}/par` },
      answers: { '/par': () => Response.json({ request_uri: reference, expires_in: 60 }, { status: 201 }) },
    };
    const { worker, window } = await starting({ script, providers: [{ ...scripted, par: 'always' }] });
    const query = `?request_uri=${encodeURIComponent(reference)}`;
    expect(window.url).toContain(query.slice(1));
    const foreign = worker.openForeignWindow(`https://evil.example/${query}`);
    window.page = `${providerPage}${query}`;
    window.appear();
    expect(await worker.showWindow()).toEqual({ ok: true });
    expect([foreign.focused, window.focused]).toEqual([0, 1]);
  });

  test('that a dead worker left behind is closed by the next one', async () => {
    const { worker, window } = await starting();
    window.appear();
    await worker.showWindow();
    worker.silence.answer = worker.provider.approve;
    worker.restartWorker();
    await worker.send({ type: 'prepare' });
    await worker.rest();
    expect(window.isOpen).toBe(false);
    expect(worker.session()).toMatchObject(interrupted);
    // Nothing is tried without a click.
    expect(worker.silence.urls).toEqual([]);
  });

  test('that a dead worker left behind is closed by the cancel of the sign-in that has begun since', async () => {
    const { worker, window } = await starting();
    window.appear();
    await worker.showWindow();
    worker.restartWorker();
    const begun = worker.send({ type: 'sign-in', providerId: 'scripted' });
    await Promise.all([begun, worker.cancel()]);
    await worker.rest();
    expect(worker.session()).toMatchObject({ status: 'signed-out', problem: null });
    expect(window.isOpen).toBe(false);
  });

  test('is looked for again after it has appeared, because its page may not have loaded', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const { worker, window } = await starting();
    await worker.cancel();
    window.page = 'about:blank';
    window.appear();
    window.page = window.url;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(window.isOpen).toBe(false);
  });
});

test('the window for ending the session at the provider does not open over a sign-in that was begun while the metadata was on its way', async () => {
  const metadata = { end_session_endpoint: `${issuer}/logout` };
  const { worker, script } = await signedIn({ metadata });
  worker.clock.nowMs += 25 * 60 * 60_000;
  const arrived = deferred<Response>();
  script.answers = { [discovery]: () => arrived.promise };
  await worker.send({ type: 'sign-out', everywhere: true });
  await worker.send({ type: 'sign-in', providerId: 'scripted' });
  delete script.answers;
  arrived.resolve(await worker.provider.client.world.fetch(`${issuer}${discovery}`, {}));
  worker.approve(await worker.nextWindow());
  await worker.expectSession({ status: 'signed-in' });
  expect(worker.windows.slice(1).map(({ url }) => new URL(url).pathname)).toEqual(['/authorize']);
});

test('the refusal to show a window that has closed at this very moment says that none is open, and a second click is no fault', async () => {
  const { worker, window } = await starting();
  window.appear();
  vi.spyOn(worker.browser.windows, 'update').mockRejectedValue(new Error('No window with id: 1.'));
  const reply = await worker.showWindow();
  expect(reply).toMatchObject({ ok: false, problem: { code: 'sign-in-page-failed' } });
  expect(reply).not.toHaveProperty('problem.window');
  expect(await worker.send({ type: 'sign-in', providerId: 'scripted' })).toEqual({ ok: true });
});

test('a sign-in that ended with the browser is interrupted, however much later a page opens', async () => {
  const { worker } = await signingIn();
  worker.restartBrowser();
  await worker.openAfter(24 * hour);
  await worker.expectSession(interrupted);
  await expectSignInToWork({ worker });
});

describe('a page that asks whether to leave it', () => {
  const leaving = async (manner: Manner) => {
    const { worker, window } = await starting({ manner });
    window.asksToLeave = true;
    window.appear();
    await worker.showWindow();
    return { worker, window };
  };

  test.each(['chromium', 'firefox'] as const)(
    'is closed by a cancel in spite of that (%s)',
    async (manner) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const { worker, window } = await leaving(manner);
      await worker.cancel();
      expect(window.isOpen).toBe(true);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(window.isOpen).toBe(false);
    },
  );

  test('is closed by the next worker in spite of that, if this one has died', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { worker, window } = await leaving('chromium');
    worker.restartWorker();
    await worker.send({ type: 'prepare' });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(window.isOpen).toBe(false);
  });

  test('is shown to a user who signs in again before that', async () => {
    const { worker, window } = await leaving('chromium');
    await worker.cancel();
    await worker.send({ type: 'sign-in', providerId: 'scripted' });
    expect(await worker.showWindow()).toEqual({ ok: true });
    expect(window.focused).toBe(2);
    await worker.cancel();
    expect(worker.session()).toMatchObject({ problem: cancelled });
  });
});

describe('a window that has become a tab', () => {
  const moving = async (manner: Manner) => {
    const { worker, window } = await starting({ manner });
    window.appear();
    await worker.showWindow();
    window.becomeTab();
    await worker.rest();
    return { worker, window };
  };

  test('has one of its own again in Chromium, which would close all tabs of the other one', async () => {
    const { worker, window } = await moving('chromium');
    const tabs = await worker.browser.tabs.query({ windowType: 'popup' });
    expect(tabs).toMatchObject([{ url: window.url }]);
    expect(await worker.showWindow()).toEqual({ ok: true });
    worker.approve(window);
    expect(await worker.untilSettled()).toMatchObject({ status: 'signed-in', problem: null });
  });

  test('is closed by a cancel in Chromium', async () => {
    const { worker, window } = await moving('chromium');
    await worker.cancel();
    expect(window.isOpen).toBe(false);
    expect(worker.session()).toMatchObject({ status: 'signed-out', problem: null });
  });

  test('has interrupted the sign-in in Firefox, which says that the user has cancelled it', async () => {
    const { worker } = await moving('firefox');
    await worker.expectSession({ problem: { code: 'interrupted', window: 'left-open' } });
  });
});
