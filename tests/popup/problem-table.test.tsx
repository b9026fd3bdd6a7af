// @vitest-environment happy-dom
// Each problem has one first choice, and no screen's primary button is what its message advises against.

import { act, fireEvent, screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { Board } from '../../src/bridge/session/observer.ts';
import { type Action, problemTable } from '../../src/popup/problem-table.ts';
import { problemCodes, type ProblemCode } from '../../src/session/problem.ts';
import type { View } from '../../src/session/view.ts';
import { english as text } from '../support/english.ts';
import { ada, signedOut, toView } from '../support/fake-observer.ts';
import { renderPopup } from '../support/render-popup.tsx';

const returning = { ...signedOut, accounts: [ada] };
const several: Partial<Board> = {
  providers: ['demo', 'other'].map((id) => ({ id, name: id, endsSession: false })),
};
const situations = [
  ['no one was here', signedOut, {}],
  ['the last user is known', returning, {}],
  ['the user has to choose a provider', signedOut, several],
  ['the last user is known among several providers', returning, several],
] as const;

/** The `data-action` of each primary button, or else what it signs in with. */
const readPrimary = () =>
  [...document.querySelectorAll<HTMLElement>('.primary')].map(
    ({ dataset }) => dataset['action'] ?? `sign in with ${dataset['provider']}`,
  );

/** The primary buttons that an action may have, with a provider that the screen knows. */
const primaries: Readonly<Record<Action, readonly string[]>> = {
  retry: ['sign in with demo'],
  'another-account': ['use-another-account'],
  allow: ['allow-hosts'],
  report: ['copy-report'],
  'show-window': ['show-window'],
  none: [],
};

describe.each(situations)('where %s', (_, session, changes) => {
  const isKnown = session.accounts.length > 0 || changes === situations[0][2];

  test.each(problemCodes)('%s has the first choice of the table', (code) => {
    renderPopup(toView({ ...session, problem: { code, detail: null } }, changes));
    const { action } = problemTable[code];
    const needsProvider = action === 'retry' || action === 'another-account';
    expect(readPrimary()).toEqual(needsProvider && !isKnown ? [] : primaries[action]);
  });

  test.each(problemCodes)('a command refused with %s has the same first choice', async (code) => {
    const { observer } = renderPopup(toView(session, changes));
    observer.reply = () => ({ ok: false, problem: { code, detail: null } });
    await act(
      async () => void fireEvent.click(screen.getAllByRole('button', { name: /^Continue/ })[0] ?? document),
    );
    const refused = readPrimary();
    await act(async () => observer.show(toView({ ...session, problem: { code, detail: null } }, changes)));
    expect(readPrimary()).toEqual(refused);
  });
});

test('while a sign-out waits for its window, that comes first', () => {
  const { observer } = renderPopup(
    toView({ ...signedOut, providerSession: { providerId: 'demo', status: 'ending' } }),
  );
  expect(readPrimary()).toEqual(['show-window']);
  fireEvent.click(screen.getByRole('button', { name: text('signingIn_showWindow') }));
  expect(observer.commands).toEqual([{ type: 'show-window' }]);
});

test.each<[string, View]>([
  ['the sign-in of such an account', { ...signedOut, problem: { code: 'not-permitted', detail: null } }],
  ['a sign-out', signedOut],
  ['the end of a session', { ...returning, problem: { code: 'expired', detail: null } }],
])('after %s one button leads to another account', (_, session) => {
  const { observer } = renderPopup(toView(session));
  fireEvent.click(screen.getByRole('button', { name: text('signedOut_anotherAccount') }));
  expect(observer.commands).toEqual([{ type: 'use-another-account', providerId: 'demo' }]);
});

test.each([
  ['no account is known', signedOut],
  ['an account is known', returning],
])(
  'where several providers are offered and %s, the user says at which one the other account is',
  (_, session) => {
    const { observer } = renderPopup(toView(session, several));
    const button = screen.getByRole('button', { name: text('signedOut_anotherAccount') });
    fireEvent.click(button);
    expect(button.textContent).toBe(text('signedOut_back'));
    expect(screen.getByText(text('signedOut_chooseOther'))).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: text('signedOut_continueWith', 'other') }));
    expect(observer.commands).toEqual([{ type: 'use-another-account', providerId: 'other' }]);
  },
);

test('where several providers are offered, each leads to another account if that is what is needed', () => {
  const problem = { code: 'not-permitted', detail: null } as const;
  const { observer } = renderPopup(toView({ ...signedOut, problem }, several));
  fireEvent.click(screen.getByRole('button', { name: text('signedOut_continueWith', 'other') }));
  expect(observer.commands).toEqual([{ type: 'use-another-account', providerId: 'other' }]);
});

test('after a policy has moved to another provider, the user signs in there', () => {
  const elsewhere = { ...ada, providerId: 'gone' };
  const problem = { code: 'not-permitted', detail: null } as const;
  const { observer } = renderPopup(toView({ ...returning, accounts: [elsewhere], problem }));
  expect(readPrimary()).toEqual(['sign in with demo']);
  fireEvent.click(screen.getByRole('button', { name: /^Continue with/ }));
  expect(observer.commands).toEqual([{ type: 'sign-in', providerId: 'demo' }]);
});

test.each<[boolean, readonly object[]]>([
  [true, [{ type: 'sign-in', providerId: 'demo', hint: 'ada@example.com' }]],
  [false, []],
])('once access is allowed (%s) the sign-in goes on by itself', async (isAllowed, commands) => {
  const code: ProblemCode = 'host-permission-missing';
  const { observer } = renderPopup(toView({ ...returning, problem: { code, detail: null } }));
  Object.assign(observer, { allowHosts: async () => isAllowed });
  await act(
    async () => void fireEvent.click(screen.getByRole('button', { name: text('problem_allowHosts') })),
  );
  expect(observer.commands).toEqual(commands);
});
