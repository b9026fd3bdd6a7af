// @vitest-environment happy-dom
// Latchkey's popup on a page of another extension, whose messages and icons are its own.

import { act, configure, screen } from '@testing-library/react';
import type { Root } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import type { View } from '../../src/session/view.ts';
import { mountPopup } from '../../src/library/popup.ts';
import { FakeStorageArea } from '../support/fake-browser.ts';
import { ada, adaSignedIn, signedOut, toBoard } from '../support/fake-observer.ts';

const host = vi.hoisted(() => ({ language: 'en', manifest: {}, storage: {}, roots: new Set<Root>() }));

vi.mock('../../src/bridge/browser.ts', () => ({
  browser: {
    i18n: { getUILanguage: () => host.language },
    runtime: { getManifest: () => host.manifest, getURL: (path: string) => `moz-extension://notes/${path}` },
    get storage() {
      return host.storage;
    },
  },
}));
vi.mock('react-dom/client', async (load) => {
  const client = await load<typeof import('react-dom/client')>();
  const keep = (root: Root) => (host.roots.add(root), root);
  return {
    ...client,
    createRoot: (...parameters: Parameters<typeof client.createRoot>) =>
      keep(client.createRoot(...parameters)),
    hydrateRoot: (...parameters: Parameters<typeof client.hydrateRoot>) =>
      keep(client.hydrateRoot(...parameters)),
  };
});
vi.mock('../../src/bridge/line/page-line.ts', () => ({ pageLine: () => () => () => undefined }));

// A busy machine may take longer than a second to load or paint something.
configure({ asyncUtilTimeout: 10_000 });

afterEach(async () => {
  // A page never ends its popup, whose listeners would hear the clicks of other tests.
  await act(async () => host.roots.forEach((root) => root.unmount()));
  host.roots.clear();
  document.body.replaceChildren();
  document.title = '';
  for (const name of ['lang', 'dir']) document.documentElement.removeAttribute(name);
});

/** Opens the popup of an extension whose storage has this session, and waits for its heading. */
async function open(
  language: string,
  session: View = signedOut,
  manifest: object = { name: 'Notes', icons: null },
) {
  const local = new FakeStorageArea();
  local.items.set('latchkey:board', toBoard(session));
  Object.assign(host, { language, manifest, storage: { local, session: new FakeStorageArea('session') } });
  const container = document.body.appendChild(document.createElement('div'));
  mountPopup(container, { feature: ({ user }) => <p>Notes of {user.name}</p> });
  const { textContent } = await screen.findByRole('heading', { level: 1 });
  const { lang, dir } = document.documentElement;
  return { heading: textContent, lang, dir, title: document.title, icon: container.querySelector('img') };
}

test.each([
  ['de', 'de', 'ltr', 'Melden Sie sich'],
  ['de-AT', 'de-AT', 'ltr', 'Melden Sie sich'],
  ['pt-BR', 'pt-BR', 'ltr', 'Use sua conta'],
  ['ar', 'ar', 'rtl', ''],
  // As in browsers, which know no messages for these.
  ['pt-PT', 'en', 'ltr', 'to continue'],
  ['fi', 'en', 'ltr', 'to continue'],
])('in a browser in %s, the popup is in %s (%s)', async (language, lang, dir, words) => {
  expect(await open(language)).toMatchObject({ lang, dir });
  expect(document.body.textContent).toContain(words);
});

test('the popup has the name of the extension, and its largest icon', async () => {
  const manifest = { name: 'Notes $1 $$', icons: { 48: 'icons/48.png', 16: 'icons/16.png' } };
  const { heading, title, icon } = await open('en', signedOut, manifest);
  expect([heading, title]).toEqual([manifest.name, manifest.name]);
  expect(icon?.src).toBe('moz-extension://notes/icons/48.png');
});

test('an extension without icons has a popup', async () => {
  expect((await open('en')).heading).toBe('Notes');
});

test('a signed-in user sees the feature', async () => {
  await open('en', adaSignedIn);
  expect(await screen.findByText(`Notes of ${ada.name}`)).toBeTruthy();
});
