// The providers, people and problems that faces show.

import type { Product } from '../../src/popup/i18n/text.ts';
import { detail, type Detail } from '../../src/session/detail.ts';
import type { Diagnosis, ProblemCode } from '../../src/session/problem.ts';
import { toAccountHint, toSignedIn, type Profile } from '../../src/session/view.ts';

const toProvider = (id: string, name: string) => ({ id, name, endsSession: false });

export const demo = toProvider('demo', 'Demo provider');
export const endsSession = { ...demo, endsSession: true };
export const several = [
  demo,
  toProvider('acme', 'Acme'),
  toProvider('office', 'Office of the Registrar'),
  toProvider('kyoto', '京都大学'),
];
export const thirty = Array.from({ length: 30 }, (_, index) =>
  toProvider(`place-${index + 1}`, `Place ${index + 1}`),
);
export const longNames = [
  'Northern Counties Health and Social Care Partnership, Department of Occupational Medicine and Rehabilitation',
  'وزارة التعليم العالي والبحث العلمي والابتكار في المملكة، الإدارة العامة للخدمات الإلكترونية والحسابات الجامعية الموحدة',
  '国立大学法人東京医療福祉情報科学技術大学院大学附属図書館利用者認証システム運用管理部門学外利用者窓口',
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftsverwaltungsrat',
].map((name, index) => toProvider(`long-${index + 1}`, name));

/** The icon of one of them. */
const triangle =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><path d="M10 2l9 16H1z" fill="#7a3b9e"/></svg>';
export const icons: ReadonlyMap<string, string> = new Map([
  ['acme', `data:image/svg+xml,${encodeURIComponent(triangle)}`],
]);

export const productPages: Product = {
  support: { name: 'Acme Support', url: 'https://acme.example/help' },
  privacyUrl: 'https://acme.example/privacy',
};

export const ada: Profile = {
  providerId: 'demo',
  subject: 'subject-1',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  emailVerified: true,
  picture: null,
};
export const longest: Profile = {
  ...ada,
  name: 'Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh Maximiliana Theodora of the Seven Hills',
  email: 'maximiliana.theodora.wolfeschlegelsteinhausenbergerdorff@a-rather-long-department.example.org',
};
export const rightToLeft: Profile = { ...ada, name: 'نجيب محفوظ', email: 'naguib@example.com' };

export const lastAccount = toAccountHint(ada);
export const adaSignedIn = toSignedIn(ada, Date.parse('2026-11-02T09:41:00Z'));

/** A detail of each problem, in the words of the worker or of a browser. Null if the code says all. */
export const details: Readonly<Record<ProblemCode, Detail | null>> = {
  cancelled: null,
  denied: detail`redirect: access_denied`,
  interrupted: null,
  expired: detail`renewal: invalid_grant`,
  offline: null,
  'timed-out': detail`login.example`,
  'provider-unreachable': detail`login.example answered with HTTP 503.`,
  'provider-misconfigured': detail`login.example redirects where it should answer.`,
  'sign-in-page-failed': detail`Authorization page could not be loaded.`,
  'clock-wrong': detail`This device says 2029-12-31 09:41 UTC, the provider says 2030-01-01 09:41 UTC.`,
  'not-supported': detail`Couldn't create a browser window.`,
  'host-permission-missing': detail`login.example`,
  'response-rejected': detail`keys: the answer is not a key set`,
  'not-permitted': detail`ID token: "email" is not verified`,
  'storage-failed': detail`QuotaExceededError`,
  'worker-unreachable': detail`The worker sent no valid reply.`,
  unexpected: detail`TypeError`,
};

/** The value to register: a redirect URI as long as those of Firefox, or the client ID. */
export const registered: Partial<Readonly<Record<Diagnosis['cause'], string>>> = {
  'redirect-uri': 'https://6c617463686b65796c617463686b65796c617463.extensions.allizom.org/demo',
  client: 'latchkey-demo',
};

/** The problems with a diagnosis, as src/oidc/diagnose.ts finds them. */
export const diagnosed = [
  ['provider-misconfigured', detail`sign-in page: HTTP 400`, 'redirect-uri', 'known'],
  ['provider-misconfigured', detail`sign-in page: HTTP 400`, 'redirect-uri', 'guess'],
  ['provider-misconfigured', detail`sign-in page: HTTP 401`, 'client', 'known'],
  ['provider-misconfigured', detail`sign-in page: HTTP 401`, 'client', 'guess'],
  ['provider-misconfigured', detail`sign-in page: HTTP 400`, 'request', 'known'],
  ['provider-misconfigured', detail`sign-in page: HTTP 403`, 'request', 'guess'],
  ['provider-misconfigured', detail`sign-in page: HTTP 404`, 'page-missing', 'known'],
  ['provider-unreachable', detail`sign-in page: HTTP 503`, 'page-down', 'known'],
  ['provider-unreachable', detail`login.example did not answer.`, 'page-down', 'guess'],
  ['provider-unreachable', detail`login.example did not answer.`, 'network', 'guess'],
] as const;
