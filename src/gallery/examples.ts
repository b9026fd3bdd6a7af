// The providers and people of the faces.

import type { Profile } from '../session/session.ts';

export const demo = { id: 'demo', name: 'Demo provider', endsSession: false };
export const endsSession = { ...demo, endsSession: true };
export const several = [
  demo,
  { id: 'acme', name: 'Acme', endsSession: false },
  { id: 'office', name: 'Office of the Registrar', endsSession: false },
  { id: 'kyoto', name: '京都大学', endsSession: false },
];
export const thirty = Array.from({ length: 30 }, (_, index) => ({
  id: `place-${index + 1}`,
  name: `Place ${index + 1}`,
  endsSession: false,
}));

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
