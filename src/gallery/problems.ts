// The problems of the faces, with the details and the diagnoses that the worker gives them.

import type { Diagnosis, Problem, ProblemCode } from '../session/problem.ts';

/** A detail of each problem, in the words of the worker or of a browser. Null if the code says all. */
export const details: Readonly<Record<ProblemCode, string | null>> = {
  cancelled: null,
  denied: 'redirect: access_denied',
  interrupted: null,
  expired: 'renewal: invalid_grant',
  offline: null,
  'timed-out': 'login.example',
  'provider-unreachable': 'login.example answered with HTTP 503.',
  'provider-misconfigured': 'login.example redirects where it should answer.',
  'sign-in-page-failed': 'Authorization page could not be loaded.',
  'clock-wrong': 'This device says 2029-12-31 09:41 UTC, the provider says 2030-01-01 09:41 UTC.',
  'not-supported': "Couldn't create a browser window.",
  'host-permission-missing': 'login.example',
  'response-rejected': 'keys: the answer is not a key set',
  'not-permitted': 'ID token: "email" is not verified',
  'storage-failed': 'QuotaExceededError',
  'worker-unreachable': 'The worker sent no valid reply.',
  unexpected: 'TypeError',
};

/** The value to register: a redirect URI as long as those of Firefox, or the client ID. */
const registered: Partial<Readonly<Record<Diagnosis['cause'], string>>> = {
  'redirect-uri': 'https://6c617463686b65796c617463686b65796c617463.extensions.allizom.org/demo',
  client: 'latchkey-demo',
};

/** The problem of each diagnosis, as src/oidc/diagnose.ts finds it. */
export const diagnosedProblems: readonly (Problem & { readonly diagnosis: Diagnosis })[] = (
  [
    ['provider-misconfigured', 'sign-in page: HTTP 400', 'redirect-uri', 'known'],
    ['provider-misconfigured', 'sign-in page: HTTP 400', 'redirect-uri', 'guess'],
    ['provider-misconfigured', 'sign-in page: HTTP 401', 'client', 'known'],
    ['provider-misconfigured', 'sign-in page: HTTP 401', 'client', 'guess'],
    ['provider-misconfigured', 'sign-in page: HTTP 400', 'request', 'known'],
    ['provider-misconfigured', 'sign-in page: HTTP 403', 'request', 'guess'],
    ['provider-misconfigured', 'sign-in page: HTTP 404', 'page-missing', 'known'],
    ['provider-unreachable', 'sign-in page: HTTP 503', 'page-down', 'known'],
    ['provider-unreachable', 'login.example did not answer.', 'page-down', 'guess'],
    ['provider-unreachable', 'login.example did not answer.', 'network', 'guess'],
  ] as const
).map(([code, detail, cause, certainty]) => ({
  code,
  detail,
  diagnosis: { cause, certainty, register: registered[cause] ?? null },
}));
