// The problems of the faces, with the details and the diagnoses that the worker gives them.

import { words, type Detail } from '../session/detail.ts';
import type { Diagnosis, Problem, ProblemCode } from '../session/problem.ts';

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

/** The problem of each diagnosis, as src/oidc/diagnose.ts finds it. */
export const diagnosedProblems: readonly (Problem & { readonly diagnosis: Diagnosis })[] = (
  [
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
  ] as const
).map(([code, detail, cause, certainty]) => ({
  code,
  detail,
  diagnosis: { cause, certainty, register: registered[cause] ?? null },
}));
