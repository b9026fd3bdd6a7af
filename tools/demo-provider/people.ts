// The demo provider's two accounts. One has a picture, the other has initials only.

export interface User {
  /** The subject of the user's ID tokens. */
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** An SVG portrait, which the provider serves at `/people/<id>.svg`. */
  readonly portrait: string | null;
}

export const marisol: User = {
  id: 'marisol',
  name: 'Marisol Vega',
  email: 'marisol.vega@example.com',
  portrait: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96">
  <rect width="96" height="96" fill="#f6c667"/>
  <circle cx="76" cy="20" r="9" fill="#fbe3ae"/>
  <path d="M24 84V44a24 25 0 0 1 48 0v40z" fill="#4a2b2b"/>
  <path d="M12 96c2-19 16-25 36-25s34 6 36 25z" fill="#1f6f78"/>
  <path d="M40 62h16v11a8 8 0 0 1-16 0z" fill="#bf7f5c"/>
  <ellipse cx="48" cy="49" rx="16" ry="19" fill="#d9986f"/>
  <path d="M31 46c0-13 9-19 19-19 9 0 15 7 15 17-9 0-17-4-21-10-2 6-7 10-13 12z" fill="#4a2b2b"/>
  <circle cx="42" cy="50" r="2" fill="#33201d"/>
  <circle cx="55" cy="50" r="2" fill="#33201d"/>
  <path d="M42 58q6.5 5 13 0" fill="none" stroke="#8c3f35" stroke-width="2.5" stroke-linecap="round"/>
</svg>`,
};

export const asa: User = {
  id: 'asa',
  name: 'Åsa Lindqvist',
  email: 'asa.lindqvist@example.org',
  portrait: null,
};

export const people: readonly User[] = [marisol, asa];

/** The user with this id, or null. */
export function findUser(id: string): User | null {
  return people.find((user) => user.id === id) ?? null;
}
