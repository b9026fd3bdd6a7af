// @vitest-environment happy-dom
// A feature that fails, to load or to render: the user can try again, and keeps their place.

import { act, fireEvent, screen } from '@testing-library/react';
import { useEffect, useState } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createLazyFeature } from '../../src/popup/components/FeatureArea.tsx';
import type { MountedFeature } from '../../src/popup/page.ts';
import { english as text } from '../support/english.ts';
import { ada, adaSignedIn, signedOut, toView } from '../support/fake-observer.ts';
import { pressKey } from '../support/keyboard.ts';
import { renderPopup } from '../support/render-popup.tsx';

// React reports each error that a boundary contains.
beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue());

const settle = () => act(() => new Promise((resolve) => setTimeout(resolve)));
const findRegion = () => screen.getByRole('region', { name: text('extensionName') });
const findTryAgain = () => screen.getByRole('button', { name: text('tryAgain') });

async function tryAgain(): Promise<void> {
  findTryAgain().focus();
  pressKey('Enter');
  await settle();
}

/** The popup of a user who is signed in, once this feature is there. */
async function renderFeature(Feature: MountedFeature) {
  const popup = renderPopup(toView(adaSignedIn), { createFeature: () => Feature });
  await settle();
  return popup;
}

const Works: MountedFeature = ({ user }) => <p>The notes of {user.name}</p>;

/** Loads a feature that fails to load until it is told otherwise. */
async function renderLoading() {
  const load = vi.fn<() => Promise<MountedFeature>>().mockRejectedValue(new TypeError('Failed to fetch'));
  const reload = vi.fn<() => void>();
  renderPopup(toView(adaSignedIn), { createFeature: createLazyFeature(load, reload) });
  await settle();
  expect(screen.getByRole('alert').textContent).toBe(text('feature_stopped') + text('signedIn_still'));
  return { load, reload };
}

test('a feature that could not be loaded is loaded again, and its region has the focus', async () => {
  const { load, reload } = await renderLoading();
  load.mockResolvedValue(Works);
  await tryAgain();
  expect(findRegion().textContent).toBe('The notes of Ada Lovelace');
  expect(document.activeElement).toBe(findRegion());
  expect(load).toHaveBeenCalledTimes(2);
  expect(reload).not.toHaveBeenCalled();
});

test('each further try loads it anew, and the page with it, because a browser may remember the failure', async () => {
  const { load, reload } = await renderLoading();
  await tryAgain();
  expect([load.mock.calls.length, reload.mock.calls.length]).toEqual([2, 1]);
  expect(findTryAgain().isConnected).toBe(true);
  expect(document.activeElement).toBe(findRegion());
  await tryAgain();
  expect([load.mock.calls.length, reload.mock.calls.length]).toEqual([3, 2]);
});

test('a feature that threw is rendered again, and its region has the focus', async () => {
  let isBroken = true;
  const Breaks: MountedFeature = () => {
    if (isBroken) throw new Error('on purpose');
    return <p>mended</p>;
  };
  await renderFeature(Breaks);
  isBroken = false;
  await tryAgain();
  expect(findRegion().textContent).toBe('mended');
  expect(document.activeElement).toBe(findRegion());
});

test.each([
  [
    'Error: on purpose\n    at Feature (http://localhost:5173/src/feature/Feature.tsx?t=1700:12:9)',
    'src/feature/Feature.tsx:12:9',
  ],
  [
    'Feature@moz-extension://0b1c/assets/connected-feature-a1.js:1:200\nb@x',
    'assets/connected-feature-a1.js:1:200',
  ],
])('a development build shows the message of a feature that threw, and its file', async (stack, place) => {
  const Breaks: MountedFeature = () => {
    throw Object.assign(new Error('on purpose'), { stack });
  };
  await renderFeature(Breaks);
  expect(findRegion().querySelector('pre')?.textContent).toBe(`Error: on purpose\n${place}`);
});

test('a feature is not rendered again when only what is around it changes', async () => {
  const render = vi.fn<() => null>(() => null);
  const { show } = await renderFeature(render);
  const before = render.mock.calls.length;
  fireEvent.click(screen.getByRole('button', { name: text('signedIn_account') }));
  await show({ ...adaSignedIn, profile: { ...ada }, problem: { code: 'offline', detail: null } });
  expect([before > 0, render.mock.calls.length - before]).toEqual([true, 0]);
  await show({ ...adaSignedIn, profile: { ...ada, name: 'Ada King' } });
  expect(render.mock.calls.length).toBeGreaterThan(before);
});

/** Throws when its button is pressed. */
const BreaksOnPress: MountedFeature = () => {
  const [isBroken, setIsBroken] = useState(false);
  if (isBroken) throw new Error('on purpose');
  return (
    <button type="button" onClick={() => setIsBroken(true)}>
      break
    </button>
  );
};

test.each([
  ['it has the focus leaves it to its region', 'break', findRegion],
  ['something else has the focus takes it from nothing', text('signedIn_account'), null],
])('a feature that throws while %s', async (_when, name, findNext) => {
  await renderFeature(BreaksOnPress);
  const focused = screen.getByRole('button', { name });
  focused.focus();
  fireEvent.click(screen.getByRole('button', { name: 'break' }));
  await settle();
  expect(findTryAgain().isConnected).toBe(true);
  expect(document.activeElement).toBe(findNext?.() ?? focused);
});

describe('a feature that throws when it is unmounted', () => {
  let isBroken = true;
  beforeEach(() => void (isBroken = true));

  const BreaksAtEnd: MountedFeature = ({ user }) => {
    useEffect(
      () => () => {
        if (isBroken) throw new Error('on purpose');
      },
      [],
    );
    return <p>The notes of {user.name}</p>;
  };

  test('leaves the screen after it whole, with the focus on its heading', async () => {
    const { show } = await renderFeature(BreaksAtEnd);
    screen.getByRole('button', { name: text('signedIn_account') }).focus();
    await show(signedOut);
    expect(screen.getByRole('heading').textContent).toBe(text('extensionName'));
    expect(document.activeElement).toBe(screen.getByRole('heading'));
    expect(screen.getByRole('button', { name: /Demo provider/ }).isConnected).toBe(true);
  });

  test('is there for the next user', async () => {
    const { show } = await renderFeature(BreaksAtEnd);
    await show({ ...adaSignedIn, profile: { ...ada, subject: 'subject-2', name: 'Grace Hopper' } });
    await settle();
    expect(findRegion().textContent).toBe('The notes of Grace Hopper');
    isBroken = false;
  });
});
