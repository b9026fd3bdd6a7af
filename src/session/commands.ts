// The commands that a page of the extension may send to the worker, and their parser.

import type { Problem } from './problem.ts';
import { id, origin, signInOrders } from './sign-in-order.ts';
import * as v from './shape.ts';
import { accountSchema } from './view.ts';

/** A longer one is refused. It names an error, and a few scopes or authentication contexts. */
export const maxChallengeLength = 4096;

/** The demands that a user can meet: RFC 6750 section 3.1, and RFC 9470 section 3. */
const challengeErrors = ['insufficient_scope', 'insufficient_user_authentication'] as const;

export type ChallengeError = (typeof challengeErrors)[number];

const commandSchema = v.union([
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
  v.strictObject({ type: v.literal('forget-account'), account: accountSchema }),
  /** Remembers an account again, at its former place in the list. */
  v.strictObject({ type: v.literal('remember-account'), account: accountSchema, at: v.number() }),
]);

export type Command = Readonly<v.InferOutput<typeof commandSchema>>;

/** A command is accepted or rejected; its outcome appears on the board. */
export type Reply = { readonly ok: true } | { readonly ok: false; readonly problem: Problem };

/** Reads a command from a message; null for anything that isn't exactly one of them. */
export function parseCommand(message: unknown): Command | null {
  return v.read(commandSchema, message);
}
