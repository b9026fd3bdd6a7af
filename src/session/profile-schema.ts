// The schema of a stored profile, on the board and in the vault.

import type { Profile } from './session.ts';
import * as v from './shape.ts';

const text = v.string();

export const profileSchema: v.Schema<Profile> = v.object({
  providerId: text,
  issuer: v.exactOptional(text),
  subject: text,
  name: v.nullable(text),
  email: v.nullable(text),
  emailVerified: v.boolean(),
  picture: v.nullable(text),
});
