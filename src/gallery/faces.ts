// Every situation that the popup has a face for. What the types name is derived from them, so that a new problem
// code has its faces without a line here.

import type { Board, BoardView } from '../bridge/session/observer.ts';
import { causes, problemCodes, type Problem } from '../session/problem.ts';
import {
  signedOut,
  toAccountHint,
  toSignedIn,
  type Profile,
  type Session,
  type SigningIn,
} from '../session/session.ts';

export interface Face {
  /** Names it in an address, and stays the same. */
  readonly id: string;
  readonly title: string;
  readonly group: string;
  readonly view: BoardView;
  /** With what every command is refused; each is accepted unless told otherwise. */
  readonly refusal?: Problem;
  /** What stands in the feature area; it is empty unless told otherwise. */
  readonly feature?: 'tall' | 'failing';
  /** How long ago it is taken to have been opened: animations stand where they are by then. */
  readonly openedMsAgo?: number;
}

const day = 86_400_000;

const demo = { id: 'demo', name: 'Demo provider', endsSession: false };
const endsSession = { ...demo, endsSession: true };
const several = [
  demo,
  { id: 'acme', name: 'Acme', endsSession: false },
  { id: 'office', name: 'Office of the Registrar', endsSession: false },
  { id: 'kyoto', name: '京都大学', endsSession: false },
];
const thirty = Array.from({ length: 30 }, (_, index) => ({
  id: `place-${index + 1}`,
  name: `Place ${index + 1}`,
  endsSession: false,
}));

const ada: Profile = {
  providerId: 'demo',
  subject: 'subject-1',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  emailVerified: true,
  picture: null,
};
const longest: Profile = {
  ...ada,
  name: 'Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh Maximiliana Theodora of the Seven Hills',
  email: 'maximiliana.theodora.wolfeschlegelsteinhausenbergerdorff@a-rather-long-department.example.org',
};
const rightToLeft: Profile = { ...ada, name: 'نجيب محفوظ', email: 'naguib@example.com' };
const lastAccount = toAccountHint(ada);

/** The redirect URI that a developer is told to register, as long as they are in Firefox. */
const register = 'https://6c617463686b65798579c61796b65796c61746368.extensions.allizom.org/demo';

/** All of them, in the order in which they are looked at. `picture` is where a person's picture is. */
export function toFaces(nowMs: number, picture: string): readonly Face[] {
  const adaSignedIn = toSignedIn(ada, nowMs - day);
  const signingIn: SigningIn = {
    status: 'signing-in',
    providerId: 'demo',
    attempt: 1,
    startedAtMs: nowMs,
    before: signedOut,
  };
  const late = { ...signingIn, startedAtMs: nowMs - 60_000 };
  const show = (session: Session, changes: Partial<Board> = {}): Pick<Face, 'view'> => ({
    view: {
      status: 'ready',
      board: { version: 1, session, providers: [demo], managed: false, ...changes },
    },
  });
  const signedInAs = (profile: Profile) => show(toSignedIn(profile, nowMs - day));
  const starting = { view: { status: 'starting' } } as const;
  const unreachable = { code: 'worker-unreachable', detail: null } as const;

  return [
    ...inGroup('Starting', {
      starting: { title: 'Starting', ...starting, openedMsAgo: 1_000 },
      'starting-slow': { title: 'Starting takes long', ...starting, openedMsAgo: 20_000 },
      'starting-unanswered': {
        title: 'Starting, and the worker does not answer (told after 3 seconds)',
        ...starting,
        refusal: unreachable,
      },
    }),
    ...inGroup('Signed out', {
      'first-run': { title: 'First run', ...show(signedOut) },
      'providers-several': { title: 'Several providers', ...show(signedOut, { providers: several }) },
      'providers-thirty': { title: 'Thirty providers', ...show(signedOut, { providers: thirty }) },
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
      'managed-several': {
        title: 'Managed, several providers',
        ...show(signedOut, { managed: true, providers: several }),
      },
      'signed-out-refused': {
        title: 'Every command is refused: press the button',
        ...show(signedOut),
        refusal: unreachable,
      },
    }),
    ...inGroup(
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
    ),
    ...inGroup('Signing in', {
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
      'just-cancelled': {
        title: 'Just cancelled',
        ...show({ ...signedOut, problem: { code: 'cancelled', detail: null } }),
      },
      'just-cancelled-over-session': {
        title: 'Just cancelled, over a session',
        ...show({ ...adaSignedIn, problem: { code: 'cancelled', detail: null } }),
      },
    }),
    ...inGroup('Signed in', {
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
      'signed-in-tall-feature': { title: 'A tall feature', ...show(adaSignedIn), feature: 'tall' },
      'signed-in-failing-feature': {
        title: 'A feature that throws',
        ...show(adaSignedIn),
        feature: 'failing',
      },
    }),
    ...problemCodes.flatMap((code) => {
      const problem = { code, detail: 'login.example answered 503' };
      return inGroup(`Problem: ${code}`, {
        [`${code}-signed-out`]: { title: 'Signed out', ...show({ ...signedOut, problem }) },
        [`${code}-returning`]: {
          title: 'A person returns',
          ...show({ ...signedOut, problem, lastAccount }),
        },
        [`${code}-signed-in`]: { title: 'Signed in', ...show({ ...adaSignedIn, problem }) },
      });
    }),
    ...inGroup(
      'Findings about a sign-in page that failed',
      Object.fromEntries(
        causes.flatMap((cause) =>
          (['known', 'guess'] as const).map((certainty) => [
            `diagnosis-${cause}-${certainty}`,
            {
              title: `${cause}, a ${certainty === 'known' ? 'known cause' : 'guess'}`,
              ...show({
                ...signedOut,
                problem: {
                  code: 'sign-in-page-failed',
                  detail: 'invalid_redirect_uri',
                  diagnosis: { cause, certainty, register: cause === 'redirect-uri' ? register : null },
                },
              }),
            },
          ]),
        ),
      ),
    ),
  ];
}

function inGroup(
  group: string,
  faces: Readonly<Record<string, Omit<Face, 'id' | 'group'>>>,
): readonly Face[] {
  return Object.entries(faces).map(([id, face]) => ({ id, group, ...face }));
}
