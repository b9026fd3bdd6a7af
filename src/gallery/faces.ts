// All views of the popup, called faces, for the gallery and for tests. Problems have the details and the diagnoses that
// the worker gives them.

import type { Board, BoardView } from '../bridge/session/observer.ts';
import { problemCodes, type Problem } from '../session/problem.ts';
import {
  signedOut,
  toAccountHint,
  toSignedIn,
  type DeviceCode,
  type Profile,
  type Session,
  type SignedIn,
  type SigningIn,
} from '../session/session.ts';
import { demo, endsSession, several, thirty, longNames, ada, longest, rightToLeft } from './examples.ts';
import { details, diagnosedProblems } from './problems.ts';

/** One view of the popup. */
export interface Face {
  /** Identifies the face in a URL. Stable. */
  readonly id: string;
  readonly title: string;
  readonly group: string;
  readonly view: BoardView;
  /** The problem with which commands are refused: "Show the window" if it is about the window, otherwise all. */
  readonly refusal?: Problem;
  /** The feature to mount. By default the feature area is empty. */
  readonly feature?: 'tall' | 'failing';
  /** Stops all animations at this time after the popup was opened. */
  readonly openedMsAgo?: number;
}

const day = 86_400_000;

const lastAccount = toAccountHint(ada);

const starting = { view: { status: 'starting' } } as const;
const unreachable = { code: 'worker-unreachable', detail: null } as const;
const windowMissing: Problem = {
  code: 'sign-in-page-failed',
  detail: 'No window proves to be the one of this sign-in.',
};

/** All faces, in the order of the gallery. `picture` is the URL of a person's picture. */
export function toFaces(nowMs: number, picture: string): readonly Face[] {
  const adaSignedIn = toSignedIn(ada, nowMs - day);
  return [
    ...startingFaces(),
    ...signedOutFaces(),
    ...providerSessionFaces(),
    ...signingInFaces(nowMs, adaSignedIn),
    ...signedInFaces(adaSignedIn, picture),
    ...problemFaces(adaSignedIn),
    ...diagnosisFaces(),
  ];
}

function startingFaces(): readonly Face[] {
  return inGroup('Starting', {
    starting: { title: 'Starting', ...starting, openedMsAgo: 1_000 },
    'starting-slow': { title: 'Starting takes long', ...starting, openedMsAgo: 20_000 },
    'starting-unanswered': {
      title: 'Starting, and the worker does not answer (shown after 3 seconds)',
      ...starting,
      refusal: unreachable,
    },
  });
}

function signedOutFaces(): readonly Face[] {
  return inGroup('Signed out', {
    'first-run': { title: 'First run', ...show(signedOut) },
    'providers-several': { title: 'Several providers', ...show(signedOut, { providers: several }) },
    'providers-thirty': { title: 'Thirty providers', ...show(signedOut, { providers: thirty }) },
    'providers-long-names': {
      title: 'Many providers, some with long names in several scripts',
      ...show(signedOut, { providers: [...longNames, ...thirty] }),
    },
    'providers-none': { title: 'No provider', ...show(signedOut, { providers: [] }) },
    returning: { title: 'A person returns', ...show({ ...signedOut, lastAccount }) },
    'returning-several': {
      title: 'A person returns, several providers',
      ...show({ ...signedOut, lastAccount }, { providers: several }),
    },
    'returning-thirty': {
      title: 'A person returns, thirty providers',
      ...show({ ...signedOut, lastAccount }, { providers: [demo, ...thirty] }),
    },
    'returning-long-name': {
      title: 'A person with a very long name returns',
      ...show({ ...signedOut, lastAccount: toAccountHint(longest) }),
    },
    managed: { title: 'Managed by an administrator', ...show(signedOut, { managed: true }) },
    'managed-by': {
      title: 'Managed by an organization with a long name, one provider',
      ...show(signedOut, {
        managed: true,
        managedBy: 'Northern Counties Health and Social Care, IT services',
      }),
    },
    'managed-refused': {
      title: 'A policy with a mistake, and none before it',
      ...show(
        {
          ...signedOut,
          problem: { code: 'provider-misconfigured', detail: details['provider-misconfigured'] },
        },
        { managed: true, providers: [] },
      ),
    },
    'managed-several': {
      title: 'Managed, several providers',
      ...show(signedOut, { managed: true, providers: several }),
    },
    'signed-out-refused': {
      title: 'Every command is refused: click the button',
      ...show(signedOut),
      refusal: unreachable,
    },
  });
}

function providerSessionFaces(): readonly Face[] {
  return inGroup(
    'Signed out at the provider too',
    Object.fromEntries(
      (['ending', 'ended', 'open'] as const).map((status) => [
        `provider-session-${status}`,
        {
          title: `The session at the provider: ${status}`,
          ...show(
            { ...signedOut, providerSession: { providerId: demo.id, status } },
            { providers: [endsSession] },
          ),
        },
      ]),
    ),
  );
}

function signingInFaces(nowMs: number, adaSignedIn: SignedIn): readonly Face[] {
  const signingIn: SigningIn = {
    status: 'signing-in',
    providerId: 'demo',
    request: { type: 'sign-in', providerId: 'demo' },
    attempt: 1,
    startedAtMs: nowMs,
    before: signedOut,
  };
  const late = { ...signingIn, startedAtMs: nowMs - 60_000 };
  const device: DeviceCode = {
    userCode: 'WDJB-MJHT',
    verificationUri: 'https://id.example.com/device',
    expiresAtMs: nowMs + 14 * 60_000,
  };
  return inGroup('Signing in', {
    'signing-in': { title: 'The window has opened, perhaps behind others', ...show(signingIn) },
    'signing-in-late': { title: 'The window has not appeared', ...show(late) },
    'signing-in-over-session': {
      title: 'With another account, over a session',
      ...show({ ...signingIn, before: adaSignedIn }),
    },
    'signing-in-over-session-late': {
      title: 'With another account, over a session, the window has not appeared',
      ...show({ ...late, before: adaSignedIn }),
    },
    'signing-in-code-pending': {
      title: 'With a code, which the provider has yet to issue',
      ...show({ ...signingIn, device: null }),
    },
    'signing-in-code': { title: 'With a code', ...show({ ...signingIn, device }) },
    'signing-in-code-long': {
      title: 'With a code as long as any, on a host with a long name',
      ...show({
        ...signingIn,
        device: {
          userCode: 'QWRT-YPSD-FGHJ-KLZX-CVBN-MQWR-TY',
          verificationUri: 'https://sign-in.accounts.a-rather-long-department.example.org/device',
          expiresAtMs: nowMs + 1_800_000,
        },
      }),
    },
    'signing-in-code-ends': {
      title: 'With a code that ends soon',
      ...show({ ...signingIn, device: { ...device, expiresAtMs: nowMs + 20_000 } }),
    },
    'signing-in-code-over-session': {
      title: 'With a code for another account, over a session',
      ...show({ ...signingIn, device, before: adaSignedIn }),
    },
    'signing-in-code-refused': {
      title: 'With a code, and every command is refused: click Cancel',
      ...show({ ...signingIn, device }),
      refusal: unreachable,
    },
    'just-cancelled': {
      title: 'Just cancelled',
      ...show({ ...signedOut, problem: { code: 'cancelled', detail: null } }),
    },
    'cancelled-window-left': {
      title: 'Cancelled, and the window may still be open',
      ...show({ ...signedOut, problem: { code: 'cancelled', detail: null, window: 'left-open' } }),
    },
    'signing-in-window-not-opened': {
      title: 'The window has not opened yet: click the first button',
      ...show(signingIn),
      refusal: windowMissing,
    },
    'signing-in-window-not-found': {
      title: 'The window is not found: click the first button',
      ...show(signingIn),
      refusal: { ...windowMissing, window: 'left-open' },
    },
    'signing-in-late-refused': {
      title: 'The window has not appeared, and every command is refused: click a button',
      ...show(late),
      refusal: { ...unreachable, detail: 'The worker sent no valid reply.' },
    },
    'just-cancelled-over-session': {
      title: 'Just cancelled, over a session',
      ...show({ ...adaSignedIn, problem: { code: 'cancelled', detail: null } }),
    },
  });
}

function signedInFaces(adaSignedIn: SignedIn, picture: string): readonly Face[] {
  const signedInAs = (profile: Profile) => show(toSignedIn(profile, adaSignedIn.sinceMs));
  return inGroup('Signed in', {
    'signed-in': { title: 'Without a picture', ...signedInAs(ada) },
    'signed-in-picture': { title: 'With a picture', ...signedInAs({ ...ada, picture }) },
    'signed-in-long-name': { title: 'A very long name', ...signedInAs(longest) },
    'signed-in-right-to-left': { title: 'A name from right to left', ...signedInAs(rightToLeft) },
    'signed-in-no-name': { title: 'An e-mail address and no name', ...signedInAs({ ...ada, name: null }) },
    'signed-in-no-email': {
      title: 'Neither name nor e-mail address',
      ...signedInAs({ ...ada, name: null, email: null }),
    },
    'signed-in-ends-session': {
      title: 'The provider’s session can be ended too',
      ...show(adaSignedIn, { providers: [endsSession] }),
    },
    'signed-in-managed': {
      title: 'Managed by an administrator',
      ...show(adaSignedIn, { managed: true }),
    },
    'signed-in-managed-by': {
      title: 'Managed by an organization with a name',
      ...show(adaSignedIn, { managed: true, managedBy: 'Acme IT' }),
    },
    'signed-in-tall-feature': { title: 'A tall feature', ...show(adaSignedIn), feature: 'tall' },
    'signed-in-failing-feature': {
      title: 'A feature that throws',
      ...show(adaSignedIn),
      feature: 'failing',
    },
  });
}

function problemFaces(adaSignedIn: SignedIn): readonly Face[] {
  return problemCodes.flatMap((code) => {
    const problem = { code, detail: details[code] };
    const returning = { ...signedOut, problem, lastAccount };
    // A session that has ended leaves an account, whose provider may no longer be configured.
    const nobody =
      code === 'expired' ? { ...returning, lastAccount: { ...lastAccount, providerId: 'gone' } } : null;
    return inGroup(`Problem: ${code}`, {
      [`${code}-signed-out`]: { title: 'Signed out', ...show(nobody ?? { ...signedOut, problem }) },
      [`${code}-returning`]: { title: 'A person returns', ...show(returning) },
      ...(code !== 'expired' && {
        [`${code}-signed-in`]: { title: 'Signed in', ...show({ ...adaSignedIn, problem }) },
      }),
    });
  });
}

function diagnosisFaces(): readonly Face[] {
  return inGroup(
    'Diagnoses of a failed sign-in page',
    Object.fromEntries(
      diagnosedProblems.map((problem) => {
        const { cause, certainty } = problem.diagnosis;
        const title = `${cause}, a ${certainty === 'known' ? 'known cause' : 'guess'}`;
        return [`diagnosis-${cause}-${certainty}`, { title, ...show({ ...signedOut, problem }) }];
      }),
    ),
  );
}

function show(session: Session, changes: Partial<Board> = {}): Pick<Face, 'view'> {
  const board = { version: 1, session, providers: [demo], managed: false, ...changes } as const;
  return { view: { status: 'ready', board } };
}

function inGroup(
  group: string,
  faces: Readonly<Record<string, Omit<Face, 'id' | 'group'>>>,
): readonly Face[] {
  return Object.entries(faces).map(([id, face]) => ({ id, group, ...face }));
}
