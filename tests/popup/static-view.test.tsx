// @vitest-environment happy-dom
// The static view shows what React shows, so that React can take it over.

import { act, cleanup, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Board, BoardView } from '../../src/bridge/session/observer.ts';
import { toFaces } from '../../tools/gallery/faces.ts';
import { App } from '../../src/popup/App.tsx';
import { toStaticView } from '../../src/popup/open-popup.tsx';
import { PageContext, type PopupHeader } from '../../src/popup/page.ts';
import { toDom } from '../../src/popup/to-dom.ts';
import { english as text } from '../support/english.ts';
import { ada, adaSignedIn, FakeObserver, toBoard, toView } from '../support/fake-observer.ts';
import { toPage } from '../support/page.ts';

const faces = toFaces(Date.parse('2030-01-01T12:00:00Z'), 'https://id.example/ada.png');
const ready = faces.flatMap(({ id, view, header = 'full' }) =>
  view.status === 'ready' ? [{ id, view, header, face: toStaticView(view.board, text, header) }] : [],
);
const shown = ready.flatMap(({ face, ...rest }) => (face === null ? [] : [{ ...rest, face }]));

afterEach(() => {
  document.body.replaceChildren();
});

function toApp(view: BoardView, header: PopupHeader = 'full', observer = new FakeObserver(view)): ReactNode {
  return (
    <PageContext value={toPage({ header, createFeature: () => () => <p>The feature</p> })}>
      <App observer={observer} />
    </PageContext>
  );
}

/** A container with the static view of `board`. */
function showFirstFace(board: Board, header: PopupHeader = 'full'): HTMLElement {
  const container = document.createElement('div');
  document.body.replaceChildren(container);
  container.append(...toDom(toStaticView(board, text, header)));
  return container;
}

/** The markup of `container` at its first render, without marks of React, and how many of its elements draw. */
function toMarkup(container: Element): readonly unknown[] {
  const markup = container.innerHTML.replaceAll(/<!--.*?-->/g, '').replace('<p>The feature</p>', '');
  const namespaces = [...container.querySelectorAll('*')].map(({ namespaceURI }) => namespaceURI);
  return [markup, namespaces.filter((namespace) => namespace?.endsWith('svg')).length];
}

describe('the static view', () => {
  test.each(shown)(
    'of "$id" is the one that React renders, and takes over element by element',
    async ({ view, header }) => {
      const onRecoverableError = vi.fn();
      // React tells a developer there of each attribute and text that differs.
      const logError = vi.spyOn(console, 'error').mockReturnValue();
      const rendered = toMarkup(render(toApp(view, header)).container);
      cleanup();
      const container = showFirstFace(view.board, header);
      expect(toMarkup(container)).toEqual(rendered);
      const before = [...container.querySelectorAll('*')];
      const root = await act(async () => hydrateRoot(container, toApp(view, header), { onRecoverableError }));
      expect(onRecoverableError).not.toHaveBeenCalled();
      expect(logError).not.toHaveBeenCalled();
      const after = [...container.querySelectorAll('*')].filter((one) => one.textContent !== 'The feature');
      expect(after.filter((one) => !before.includes(one) && one.localName !== 'section')).toEqual([]);
      await act(async () => root.unmount());
    },
  );

  test('is that of a signed-in user without a problem, as most openings show', () => {
    expect(shown.length).toBeGreaterThan(3);
    expect(ready.filter(({ face }) => face === null).map(({ view }) => view.board.session)).toEqual(
      ready
        .map(({ view }) => view.board.session)
        .filter((session) => session.status !== 'signed-in' || session.problem !== null),
    );
  });

  test('mounts the feature once React has taken it over, and its buttons work', async () => {
    const view = toView(adaSignedIn);
    const observer = new FakeObserver(view);
    const container = showFirstFace(toBoard(adaSignedIn));
    const root = await act(async () => hydrateRoot(container, toApp(view, 'full', observer)));
    expect(container.querySelector('[data-region="feature"]')?.textContent).toBe('The feature');
    const signOut = container.querySelector<HTMLElement>('[data-action="sign-out"]');
    await act(async () => signOut?.click());
    expect(observer.commands).toContainEqual({ type: 'sign-out', everywhere: false });
    await act(async () => root.unmount());
  });

  test('shows a name that looks like markup as text', () => {
    const name = '<img src=x onerror=alert(1)>';
    const container = showFirstFace(toBoard({ ...adaSignedIn, profile: { ...ada, name } }));
    expect(container.querySelector('.name')?.textContent).toBe(name);
    expect(container.querySelector('img')).toBeNull();
  });
});
