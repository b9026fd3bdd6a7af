// @vitest-environment happy-dom
// The components and hooks for a popup of an extension's own.

import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterAll, expect, test, vi } from 'vitest';
import type { BoardView } from '../../src/bridge/session/observer.ts';
import {
  AccountMenu,
  SessionProvider,
  SignInButton,
  useFetch,
  useSession,
} from '../../src/library/react.tsx';
import { ada, adaSignedIn, FakeObserver, signedOut, signingIn, toView } from '../support/fake-observer.ts';

vi.mock('../../src/bridge/browser.ts', () => ({ browser: {} }));
// The next file may load the same modules, and would find them with this file's browser.
afterAll(() => void vi.resetModules());

const fetches = new Set<unknown>();

function Popup() {
  const session = useSession();
  fetches.add(useFetch());
  return (
    <>
      <p data-testid="status">{session.status}</p>
      <SignInButton className="big" />
      <AccountMenu signOut="Sign out">
        <a href="#help">Help</a>
      </AccountMenu>
    </>
  );
}

function renderPopup(view: BoardView) {
  const observer = new FakeObserver(view);
  render(
    <SessionProvider observer={observer}>
      <Popup />
    </SessionProvider>,
  );
  return observer;
}

const readStatus = () => screen.getByTestId('status').textContent;
const findButton = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

test('a popup follows the session, from its start to the account menu', () => {
  const observer = renderPopup({ status: 'starting' });
  expect([readStatus(), screen.getByRole<HTMLButtonElement>('button').disabled]).toEqual(['starting', true]);
  act(() => observer.show(toView(signedOut)));
  fireEvent.click(findButton('Demo provider'));
  expect(observer.commands).toEqual([{ type: 'sign-in', providerId: 'demo' }]);
  act(() => observer.show(toView(signingIn)));
  expect([readStatus(), findButton('Demo provider').disabled]).toEqual(['signing-in', true]);
  act(() => observer.show(toView(adaSignedIn)));
  expect(screen.getByText(String(ada.name)).tagName).toBe('SUMMARY');
  expect(screen.getByText('Help').isConnected).toBe(true);
  fireEvent.click(findButton('Sign out'));
  expect(observer.commands.at(-1)).toEqual({ type: 'sign-out', everywhere: false });
  expect(fetches.size).toBe(1);
});

test('the session needs its provider around it', () => {
  vi.spyOn(console, 'error').mockReturnValue();
  expect(() => render(<SignInButton />)).toThrow('Put <SessionProvider> around the components');
});
