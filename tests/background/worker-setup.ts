// A whole worker in a fake browser, with a scripted provider behind its network.

import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { startWorker } from '../../src/background/worker.ts';
import type { Config, Provider } from '../../src/config/provider.ts';
import type { World } from '../../src/oidc/exchange.ts';
import type { Board } from '../../src/bridge/board.ts';
import { createScriptedProvider, provider as scripted, type Script } from '../oidc/scripted-provider.ts';
import { createFakeBrowser, type FakeWindow } from './fake-browser.ts';

export interface WorkerSetup {
  readonly script?: Script;
  readonly persistence?: Config['persistence'];
  readonly providers?: readonly Provider[];
}

export function setUpWorker({
  script = {},
  persistence = 'device',
  providers = [scripted],
}: WorkerSetup = {}) {
  globalThis.indexedDB = new IDBFactory();
  const fake = createFakeBrowser();
  const network = { isOnline: true };
  const provider = createScriptedProvider(script);
  const world: World = {
    ...provider.connection.world,
    isOnline: () => network.isOnline,
    fetch: (url, init) =>
      network.isOnline
        ? provider.connection.world.fetch(url, init)
        : Promise.reject(new TypeError('Failed to fetch')),
  };
  /** A worker that was stopped asks nothing more, and hears no answer. */
  let life = new AbortController();

  const start = (change: Partial<Provider> = {}) => {
    life = new AbortController();
    const { signal } = life;
    const mortal: World = {
      ...world,
      fetch: (url, init) =>
        new Promise((resolve, reject) => {
          if (signal.aborted) return;
          world.fetch(url, init).then(
            (answer) => signal.aborted || resolve(answer),
            (error: Error) => signal.aborted || reject(error),
          );
        }),
    };
    const configured = providers.map((one) => ({ ...one, ...change }));
    startWorker(fake.browser, mortal, { providers: configured, persistence });
  };
  start();
  fake.install();

  const area = persistence === 'device' ? fake.local : fake.memory;
  const status = (board: Board) => board.session.status;

  /** Answers the window's request as the provider does for a person who agrees. */
  const approve = (window: FakeWindow) => window.redirect(provider.approve(window.url));

  return {
    ...fake,
    provider,
    network,
    area,
    approve,
    boardWhere: (fits: (board: Board) => boolean) => fake.boardWhere(fits, area),
    readBoard: () => fake.readBoard(area),
    /** The worker is stopped and started, by an update where the configuration changes. */
    restartWorker(change: Partial<Provider> = {}) {
      life.abort();
      fake.stopWorker();
      start(change);
    },
    /** The browser is closed and opened again: what is in memory is gone. */
    restartBrowser() {
      life.abort();
      fake.stopWorker();
      fake.memory.items.clear();
      start();
    },
    async signIn(providerId = 'scripted') {
      await fake.send({ type: 'sign-in', providerId });
      const window = await fake.nextWindow();
      window.appear();
      approve(window);
      return fake.boardWhere((board) => status(board) !== 'signing-in', area);
    },
  };
}
