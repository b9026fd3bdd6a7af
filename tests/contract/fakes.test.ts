// The contract of the fakes: they note what the real browsers note (tests/browser/contract.test.ts).

import type { Browser } from 'webextension-polyfill';
import { describe, expect, test } from 'vitest';
import {
  createFakeBrowser,
  FakeManagedStorage,
  ownOrigin,
  type FakeWindow,
} from '../support/fake-browser.ts';
import { deferred } from '../support/deferred.ts';
import { respond } from './probe/respond.ts';
import { runRow, type Surroundings } from './probe/run-row.ts';
import { notesIn, type Act, type Manner, type ProviderPage } from './row.ts';
import { rows } from './rows.ts';

/** An extension in the fake browser, and everything around it. */
function surround(manner: Manner, place: 'worker' | 'page'): Surroundings {
  const managed = new FakeManagedStorage(manner);
  managed.installType = 'development';
  const fake = createFakeBrowser({ managed, manner });
  const page = fake.addLockUser();
  const line = fake.addLine(page);

  const responseUrl = `${fake.browser.identity.getRedirectURL('contract')}?code=1`;
  const { answer: ask, cannotLoad, late } = fake.silence;
  const hanging = deferred<null>();
  fake.silence.answer = (url, details) => {
    if (url === at('redirects')) return Promise.resolve(responseUrl);
    if (url === at('answers late')) return late(() => responseUrl, 2_000)(url, details);
    if (url === at('hangs')) return hanging.promise.then(cannotLoad);
    return url === at('cannot load') ? cannotLoad() : ask(url, details);
  };
  const behave = (window: FakeWindow) => {
    if (window.url === at('redirects')) window.redirect(responseUrl);
    else if (window.url === at('posts its answer')) window.redirect(responseUrl.replace(/\?.*/, ''));
    else if (window.url === at('cannot load') || window.url === at('has the browser ask'))
      window.cannotLoad();
    else if (window.url === at('closes itself')) {
      window.appear();
      window.close();
    } else if (window.url === at('asks') || window.url === at('asks to leave')) window.appear();
  };
  const launchWebAuthFlow: Browser['identity']['launchWebAuthFlow'] = (details) => {
    const known = fake.windows.length;
    const flow = fake.browser.identity.launchWebAuthFlow({ interactive: false, ...details });
    for (const window of fake.windows.slice(known)) setImmediate(behave, window);
    return flow;
  };
  const browser = {
    ...fake.browser,
    identity: { ...fake.browser.identity, launchWebAuthFlow },
  } as unknown as Browser;
  const startWorker = () => respond({ scope: fake.scope, origin: ownOrigin, browser });
  startWorker();
  const newest = () => fake.windows.findLast(({ isOpen, url }) => isOpen || url === at('hangs'));

  let other: { close(): void } | null = null;
  const acts: Record<Act, () => void> = {
    'the user agrees': () => newest()?.redirect(responseUrl),
    'the user closes the window': () => newest()?.close(),
    'the page that hangs fails'() {
      hanging.resolve(null);
      newest()?.cannotLoad();
    },
    'the user follows a link to a page with 401': () => newest()?.cannotLoad(),
    'the user follows a link to a mail program': () => newest()?.cannotLoad(),
    'the user clicks a slow link twice': () => newest()?.cannotLoad(),
    'the user types in the window'() {
      const window = newest();
      if (window) window.asksToLeave = true;
    },
    'the page asks whether to leave it': () => undefined,
    'the window becomes a tab': () => newest()?.becomeTab(),
    'the user closes the popup': () => fake.closePopup(),
    'the worker ends'() {
      fake.stopWorker();
      startWorker();
    },
    'another site opens a window': () => (other = fake.openForeignWindow('https://other.example/')),
    'a page opens that holds a lock': () =>
      void page.locks.request('contract page', () => new Promise(() => undefined)),
    'a page opens that holds a line': () =>
      void line('fetch', 'here', [], { onMessage: () => undefined, onLost: () => undefined }),
    'the other page closes'() {
      page.end();
      other?.close();
    },
  };
  return {
    browser,
    line,
    locks: (place === 'page' ? page : fake.scope.navigator).locks,
    at,
    loads: () => Promise.resolve(fake.loads.filter((url) => url === at('asks')).length),
    async outside(act) {
      await new Promise((resolve) => void setImmediate(resolve));
      acts[act]();
    },
  };
}

const at = (page: ProviderPage) => `https://provider.example/${page.replaceAll(' ', '-')}`;

describe.each<Manner>(['chromium', 'firefox'])('in the manner of %s', (manner) => {
  test.each(rows)('$behaviour', async (row) => {
    const notes = await runRow(row, surround(manner, row.in ?? 'worker'));
    expect(notes.join('\n')).toBe(notesIn(row, manner).join('\n'));
  });
});
