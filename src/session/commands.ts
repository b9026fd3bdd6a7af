// The commands that a page of the extension may send to the worker, and their parser.

import type { Problem } from './problem.ts';
import * as v from './shape.ts';

const id = v.pipe(v.string(), v.regex(/^.{1,200}$/s));

/** RFC 6749 section 3.3: names with one space between them. */
const scope = v.pipe(v.string(), v.maxLength(1000), v.regex(/^[!#-[\]-~]+( [!#-[\]-~]+)*$/));

/** A longer one is refused. It names an error, and a few scopes or authentication contexts. */
export const maxChallengeLength = 4096;

/** The demands that a user can meet: RFC 6750 section 3.1, and RFC 9470 section 3. */
const challengeErrors = ['insufficient_scope', 'insufficient_user_authentication'] as const;

export type ChallengeError = (typeof challengeErrors)[number];

const origin = v.pipe(v.string(), v.maxLength(300));

const signInOrders = [
  v.strictObject({
    type: v.literal('sign-in'),
    providerId: id,
    /** An e-mail address of at most 320 characters, each of which may count twice. */
    hint: v.optional(v.pipe(v.string(), v.maxLength(640))),
  }),
  v.strictObject({ type: v.literal('use-another-account') }),
  /** Asks the signed-in user to allow more than the configured scope: at the API with this origin, if one is named. */
  v.strictObject({ type: v.literal('request-scope'), scope, api: v.optional(origin) }),
  /** Asks the signed-in user to sign in again, as an API wants it (RFC 9470). */
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

/** Created for each command, because pages load this module too and read no commands. */
const commandSchema = () =>
  v.union([
    ...signInOrders,
    /** Sent by every page when it opens: wakes the worker, which prepares for a sign-in and corrects the board. */
    v.strictObject({ type: v.literal('open') }),
    /** Sent when the user is about to click: wakes the worker, and does nothing else. */
    v.strictObject({ type: v.literal('prepare') }),
    /** Asks the signed-in user for what the API with this origin has demanded with `error` in its `WWW-Authenticate`. */
    v.strictObject({
      type: v.literal('answer-challenge'),
      error: v.picklist(challengeErrors),
      challenge: v.pipe(v.string(), v.maxLength(maxChallengeLength)),
      api: origin,
    }),
    v.strictObject({ type: v.literal('cancel') }),
    /** Starts the running sign-in with this `attempt` once more. Does nothing if it has ended. */
    v.strictObject({ type: v.literal('try-again'), attempt: id }),
    v.strictObject({ type: v.literal('show-window') }),
    v.strictObject({ type: v.literal('sign-out'), everywhere: v.boolean() }),
  ]);

export type Command = Readonly<v.InferOutput<ReturnType<typeof commandSchema>>>;

/** A command is accepted or rejected; its outcome appears on the board. */
export type Reply = { readonly ok: true } | { readonly ok: false; readonly problem: Problem };

/** Reads a command from a message; null for anything that is not exactly one of them. */
export function parseCommand(message: unknown): Command | null {
  return v.read(commandSchema(), message);
}
