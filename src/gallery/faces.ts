// All views of the popup, called faces, for the gallery and for tests.

import { signedOut, toAccountHint, toSignedIn, type Profile } from '../session/session.ts';
import {
  ada,
  adaSignedIn,
  demo,
  endsSession,
  lastAccount,
  longest,
  longNames,
  rightToLeft,
  several,
  thirty,
  unreachable,
} from './examples.ts';
import { toFace, type Face, type Row } from './face.ts';
import { details, diagnosisFaces, problemFaces } from './problem-faces.ts';
import { signingInFaces } from './signing-in-faces.ts';

/** All faces, in the order of the gallery. `picture` is the URL of a person's picture. */
export function toFaces(nowMs: number, picture: string): readonly Face[] {
  return [
    ...signedOutFaces,
    ...signingInFaces(nowMs),
    ...signedInFaces(picture),
    ...problemFaces,
    ...diagnosisFaces,
  ].map(toFace);
}

const returning = { ...signedOut, lastAccount };

const signedOutFaces: readonly Row[] = [
  ['starting', 'Starting', 'starting', { openedMsAgo: 1_000 }],
  ['starting-slow', 'Starting takes long', 'starting', { openedMsAgo: 20_000 }],
  [
    'starting-unanswered',
    'Starting, and the worker does not answer (shown after 3 seconds)',
    'starting',
    { refusal: unreachable },
  ],

  ['first-run', 'First run', signedOut],
  ['providers-several', 'Several providers', signedOut, { providers: several }],
  ['providers-thirty', 'Thirty providers', signedOut, { providers: thirty }],
  [
    'providers-long-names',
    'Many providers, some with long names in several scripts',
    signedOut,
    { providers: [...longNames, ...thirty] },
  ],
  ['providers-none', 'No provider', signedOut, { providers: [] }],
  ['returning', 'A person returns', returning],
  ['returning-several', 'A person returns, several providers', returning, { providers: several }],
  ['returning-thirty', 'A person returns, thirty providers', returning, { providers: [demo, ...thirty] }],
  [
    'returning-long-name',
    'A person with a very long name returns',
    { ...signedOut, lastAccount: toAccountHint(longest) },
  ],
  ['managed', 'Managed by an administrator', signedOut, { managed: true }],
  [
    'managed-by',
    'Managed by an organization with a long name, one provider',
    signedOut,
    { managed: true, managedBy: 'Northern Counties Health and Social Care, IT services' },
  ],
  [
    'managed-refused',
    'A policy with a mistake, and none before it',
    { ...signedOut, problem: { code: 'provider-misconfigured', detail: details['provider-misconfigured'] } },
    { managed: true, providers: [] },
  ],
  ['managed-several', 'Managed, several providers', signedOut, { managed: true, providers: several }],
  ['signed-out-refused', 'Every command is refused: click the button', signedOut, { refusal: unreachable }],

  ['provider-session-ending', 'Signing out at the provider', ...signedOutAtProvider('ending')],
  ['provider-session-ended', 'Signed out at the provider', ...signedOutAtProvider('ended')],
  ['provider-session-open', 'Perhaps not signed out at the provider', ...signedOutAtProvider('open')],
];

function signedOutAtProvider(status: 'ending' | 'ended' | 'open') {
  const session = { ...signedOut, providerSession: { providerId: demo.id, status } };
  return [session, { providers: [endsSession] }] as const;
}

function signedInFaces(picture: string): readonly Row[] {
  const signedInAs = (profile: Profile) => toSignedIn(profile, adaSignedIn.sinceMs);
  return [
    ['signed-in', 'Signed in, without a picture', adaSignedIn],
    ['signed-in-picture', 'With a picture', signedInAs({ ...ada, picture })],
    ['signed-in-long-name', 'A very long name', signedInAs(longest)],
    ['signed-in-right-to-left', 'A name from right to left', signedInAs(rightToLeft)],
    ['signed-in-no-name', 'An e-mail address and no name', signedInAs({ ...ada, name: null })],
    [
      'signed-in-no-email',
      'Neither name nor e-mail address',
      signedInAs({ ...ada, name: null, email: null }),
    ],
    [
      'signed-in-ends-session',
      'The provider’s session can be ended too',
      adaSignedIn,
      { providers: [endsSession] },
    ],
    ['signed-in-managed', 'Signed in, managed by an administrator', adaSignedIn, { managed: true }],
    [
      'signed-in-managed-by',
      'Signed in, managed by an organization with a name',
      adaSignedIn,
      { managed: true, managedBy: 'Acme IT' },
    ],
    ['signed-in-plain-feature', 'Plain HTML as a feature', adaSignedIn, { feature: 'plain' }],
    ['signed-in-tall-feature', 'A tall feature', adaSignedIn, { feature: 'tall' }],
    ['signed-in-failing-feature', 'A feature that throws', adaSignedIn, { feature: 'failing' }],
  ];
}
