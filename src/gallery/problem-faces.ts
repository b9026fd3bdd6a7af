// The faces of problems, with the details and the diagnoses that the worker gives them.

import { words, type Detail } from '../session/detail.ts';
import { problemCodes, type Diagnosis, type ProblemCode } from '../session/problem.ts';
import { signedOut } from '../session/session.ts';
import { adaSignedIn, lastAccount } from './examples.ts';
import type { Row } from './face.ts';

/** A detail of each problem, in the words of the worker or of a browser. Null if the code says all. */
export const details: Readonly<Record<ProblemCode, Detail | null>> = {
  cancelled: null,
  denied: words`redirect: access_denied`,
  interrupted: null,
  expired: words`renewal: invalid_grant`,
  offline: null,
  'timed-out': words`login.example`,
  'provider-unreachable': words`login.example answered with HTTP 503.`,
  'provider-misconfigured': words`login.example redirects where it should answer.`,
  'sign-in-page-failed': words`Authorization page could not be loaded.`,
  'clock-wrong': words`This device says 2029-12-31 09:41 UTC, the provider says 2030-01-01 09:41 UTC.`,
  'not-supported': words`Couldn't create a browser window.`,
  'host-permission-missing': words`login.example`,
  'response-rejected': words`keys: the answer is not a key set`,
  'not-permitted': words`ID token: "email" is not verified`,
  'storage-failed': words`QuotaExceededError`,
  'worker-unreachable': words`The worker sent no valid reply.`,
  unexpected: words`TypeError`,
};

/** The value to register: a redirect URI as long as those of Firefox, or the client ID. */
const registered: Partial<Readonly<Record<Diagnosis['cause'], string>>> = {
  'redirect-uri': 'https://6c617463686b65796c617463686b65796c617463.extensions.allizom.org/demo',
  client: 'latchkey-demo',
};

/** The problems with a diagnosis, as src/oidc/diagnose.ts finds them. */
const diagnosed = [
  ['provider-misconfigured', words`sign-in page: HTTP 400`, 'redirect-uri', 'known'],
  ['provider-misconfigured', words`sign-in page: HTTP 400`, 'redirect-uri', 'guess'],
  ['provider-misconfigured', words`sign-in page: HTTP 401`, 'client', 'known'],
  ['provider-misconfigured', words`sign-in page: HTTP 401`, 'client', 'guess'],
  ['provider-misconfigured', words`sign-in page: HTTP 400`, 'request', 'known'],
  ['provider-misconfigured', words`sign-in page: HTTP 403`, 'request', 'guess'],
  ['provider-misconfigured', words`sign-in page: HTTP 404`, 'page-missing', 'known'],
  ['provider-unreachable', words`sign-in page: HTTP 503`, 'page-down', 'known'],
  ['provider-unreachable', words`login.example did not answer.`, 'page-down', 'guess'],
  ['provider-unreachable', words`login.example did not answer.`, 'network', 'guess'],
] as const;

/** The codes with a face of their own for a person who stays signed in after another sign-in has failed. */
const secondSignInCodes: readonly ProblemCode[] = ['denied', 'not-permitted', 'response-rejected'];

export const problemFaces = problemCodes.flatMap((code): readonly Row[] => {
  const problem = { code, detail: details[code] };
  const returning: Row = [
    `${code}-returning`,
    `Problem: ${code}, a person returns`,
    { ...signedOut, problem, lastAccount },
  ];
  // A session that has ended leaves an account, whose provider may no longer be configured.
  if (code === 'expired') {
    const gone = { ...lastAccount, providerId: 'gone' };
    const session = { ...signedOut, problem, lastAccount: gone };
    return [['expired-signed-out', 'Problem: expired, the provider is gone', session], returning];
  }
  return [
    [`${code}-signed-out`, `Problem: ${code}, signed out`, { ...signedOut, problem }],
    returning,
    [`${code}-signed-in`, `Problem: ${code}, signed in`, { ...adaSignedIn, problem }],
    ...(secondSignInCodes.includes(code)
      ? [
          [
            `${code}-second`,
            `Problem: ${code}, after a sign-in with another account`,
            { ...adaSignedIn, problem: { ...problem, request: { type: 'use-another-account' } } },
          ] as const satisfies Row,
        ]
      : []),
  ];
});

export const diagnosisFaces = diagnosed.map(([code, detail, cause, certainty]): Row => {
  const diagnosis = { cause, certainty, register: registered[cause] ?? null };
  const title = `A failed sign-in page: ${cause}, ${certainty === 'known' ? 'a known cause' : 'a guess'}`;
  return [`diagnosis-${cause}-${certainty}`, title, { ...signedOut, problem: { code, detail, diagnosis } }];
});
