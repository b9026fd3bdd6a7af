// The providers, people and problems that several faces share.

import { toAccountHint, toSignedIn, type Profile } from '../session/session.ts';

export const demo = { id: 'demo', name: 'Demo provider', endsSession: false };
export const endsSession = { ...demo, endsSession: true };
export const several = [
  demo,
  { id: 'acme', name: 'Acme', endsSession: false },
  { id: 'office', name: 'Office of the Registrar', endsSession: false },
  { id: 'kyoto', name: '京都大学', endsSession: false },
];
/** The icon of one of them. */
export const icons: ReadonlyMap<string, string> = new Map([
  [
    'acme',
    `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><path d="M10 2l9 16H1z" fill="#7a3b9e"/></svg>')}`,
  ],
]);
export const thirty = Array.from({ length: 30 }, (_, index) => ({
  id: `place-${index + 1}`,
  name: `Place ${index + 1}`,
  endsSession: false,
}));

export const longNames = [
  'Northern Counties Health and Social Care Partnership, Department of Occupational Medicine and Rehabilitation',
  'وزارة التعليم العالي والبحث العلمي والابتكار في المملكة، الإدارة العامة للخدمات الإلكترونية والحسابات الجامعية الموحدة',
  '国立大学法人東京医療福祉情報科学技術大学院大学附属図書館利用者認証システム運用管理部門学外利用者窓口',
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftsverwaltungsrat',
].map((name, index) => ({ id: `long-${index + 1}`, name, endsSession: false }));

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

/** The problem of a command that the worker does not answer. */
export const unreachable = { code: 'worker-unreachable', detail: null } as const;
