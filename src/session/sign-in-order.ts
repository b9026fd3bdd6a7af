// The commands that start a sign-in. The board tells which one has started the running sign-in.

import * as v from './shape.ts';

export const id = v.pipe(v.string(), v.regex(/^.{1,200}$/s));

/** RFC 6749 section 3.3: names with one space between them. */
const scope = v.pipe(v.string(), v.maxLength(1000), v.regex(/^[!#-[\]-~]+( [!#-[\]-~]+)*$/));

export const origin = v.pipe(v.string(), v.maxLength(300));

export const signInOrders = [
  v.strictObject({
    type: v.literal('sign-in'),
    providerId: id,
    /** An email address of at most 320 characters, each of which may count twice. */
    hint: v.optional(v.pipe(v.string(), v.maxLength(640))),
  }),
  /** At the provider of the session or of the last account if none is named. */
  v.strictObject({ type: v.literal('use-another-account'), providerId: v.optional(id) }),
  /** Asks the signed-in user to allow more than the configured scope: at the API with this origin, if one is named. */
  v.strictObject({ type: v.literal('request-scope'), scope, api: v.optional(origin) }),
  /** Asks the signed-in user to sign in again, as an API requires (RFC 9470). */
  v.strictObject({
    type: v.literal('step-up'),
    acrValues: v.nullable(v.pipe(v.string(), v.maxLength(500), v.regex(/^[!-~]+( [!-~]+)*$/))),
    maxAgeSeconds: v.nullable(v.pipe(v.number(), (seconds) => Number.isInteger(seconds) && seconds >= 0)),
    api: origin,
  }),
] as const;

/** The commands that start a sign-in. */
export const signInOrderSchema = v.union(signInOrders);

export type SignInOrder = Readonly<v.InferOutput<typeof signInOrderSchema>>;
