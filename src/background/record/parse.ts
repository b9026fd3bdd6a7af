// The record as it is stored, and its parser. Its parts are parsed one by one, so damage to one costs only that part.

import * as v from 'valibot';
import { once } from '../../concurrency.ts';
import { problemCodes } from '../../session/problem.ts';
import { read } from '../../session/shape.ts';
import { profileSchema, type Profile } from '../../session/view.ts';
import { toPendingRevocation, withPendingRevocations, step } from './step.ts';
import {
  emptyRecord,
  toRevocableToken,
  type ApiGrant,
  type CodeSignIn,
  type PendingRevocation,
  type RevocableToken,
  type WorkerRecord,
  type StoredSession,
} from './record.ts';

const text = v.string();
/** One that JSON can hold: it reads a number of 400 digits as infinite, and writes that as null. */
const number = v.pipe(v.number(), v.finite());

/** A code from another version of the extension mustn't cost the session. */
const problemCode = () =>
  v.pipe(
    text,
    v.transform((code) => problemCodes.find((known) => known === code) ?? 'unexpected'),
  );

const tokensSchema = () =>
  v.union([
    v.object({
      type: v.picklist(['Bearer', 'DPoP']),
      accessToken: text,
      expiresAtMs: number,
      refreshToken: v.nullable(text),
      idToken: v.nullable(text),
    }),
    v.object({
      type: v.literal('id_token'),
      idToken: text,
      expiresAtMs: number,
      refreshToken: v.null(),
    }),
  ]);

const pauseSchema = () => v.nullable(v.object({ untilMs: number, lengthMs: number, failure: problemCode() }));

const apiSchema = (): v.GenericSchema<unknown, ApiGrant> =>
  v.object({
    key: text,
    additionalScope: text,
    token: v.nullable(
      v.object({ type: v.picklist(['Bearer', 'DPoP']), accessToken: text, expiresAtMs: number }),
    ),
    pause: pauseSchema(),
  });

/** The members of a session that each version has stored. The later ones are null if they are missing. */
const sessionMembers = () => ({
  id: text,
  issuer: text,
  clientId: text,
  profile: v.custom<Profile>((value) => read(profileSchema, value) !== null),
  startedAtMs: number,
  authenticatedAtMs: number,
  generation: number,
  tokens: tokensSchema(),
  additionalScope: text,
  apis: v.fallback(v.array(apiSchema()), []),
  originalClaims: v.optional(
    v.nullable(
      v.object({
        audiences: v.array(text),
        authorizedParty: v.nullable(text),
        nonce: text,
        authTimeSeconds: v.nullable(number),
      }),
    ),
    null,
  ),
  renewalSentAtMs: v.optional(v.nullable(number), null),
  userInfoDueMs: v.optional(v.nullable(number), null),
  silentTriedAtMs: v.optional(v.nullable(number), null),
  pause: v.optional(pauseSchema(), null),
});

/** Members of another version are carried along. */
const sessionSchema = once(() => v.looseObject({ ...sessionMembers(), dpopKey: v.nullable(text) }));

const codeSchema = once((): v.GenericSchema<unknown, CodeSignIn> =>
  v.object({
    providerId: text,
    issuer: text,
    clientId: text,
    startedAtMs: number,
    grant: v.object({
      shown: v.object({ userCode: text, verificationUri: text, expiresAtMs: number }),
      deviceCode: text,
      intervalSeconds: number,
    }),
    additionalScope: v.nullable(text),
  }),
);

const lastingMembers = () => ({
  providerId: text,
  issuer: text,
  clientId: v.nullable(text),
  subject: v.nullable(text),
  token: text,
  expiresAtMs: v.exactOptional(number),
});

const lastingSchema = once((): v.GenericSchema<unknown, RevocableToken> => v.object(lastingMembers()));

const pendingSchema = once((): v.GenericSchema<unknown, PendingRevocation> =>
  v.looseObject({
    ...lastingMembers(),
    queuedAtMs: number,
    revocableSinceMs: v.nullable(number),
    tries: number,
  }),
);

/**
 * The sealed part of the record as JSON can hold it. Besides its parts it names the session's token in a form that never changes,
 * so that each version can revoke the token of a session that it cannot read. `keyName` is that of the stored key that the tokens
 * are bound to.
 */
export function serializeRecord(
  { session, codeSignIn, pendingRevocations, others }: WorkerRecord,
  keyName: string,
): object {
  const named = session && { ...session, dpopKey: session.dpopKey && keyName };
  return {
    ...others,
    session: named,
    codeSignIn,
    pendingRevocations,
    lasting: session && toRevocableToken(session),
  };
}

/** The record in what {@link serializeRecord} has returned, in this version or another one, with its key. Never throws. */
export function parseRecord(stored: unknown, keys: ReadonlyMap<string, CryptoKeyPair>): WorkerRecord {
  if (typeof stored !== 'object' || stored === null) return emptyRecord;
  const {
    session: storedSession,
    codeSignIn,
    pendingRevocations: storedPending,
    lasting,
    ...others
  } = stored as Record<string, unknown>;
  const session = parse(sessionSchema(), storedSession);
  const pendingRevocations = (Array.isArray(storedPending) ? storedPending : []).flatMap(
    (pending: unknown) => parse(pendingSchema(), pending) ?? [],
  );
  const unread = session === null ? parse(lastingSchema(), lasting) : null;
  return {
    ...emptyRecord,
    session: session && { ...session, dpopKey: keys.get(session.dpopKey ?? '') ?? null },
    codeSignIn: parse(codeSchema(), codeSignIn),
    pendingRevocations:
      unread === null ? pendingRevocations : [...pendingRevocations, toPendingRevocation(unread, 0)],
    others,
  };
}

function parse<T>(schema: v.GenericSchema<unknown, T>, value: unknown): T | null {
  const result = v.safeParse(schema, value);
  return result.success ? result.output : null;
}

// Reads the storage of versions before the record: a sealed session, and one sealed record for each token to revoke.

const sessionName = 'session';

/** Whether this is the name of one of their records. */
export function isFormerName(name: string): boolean {
  // A code that waits for the user ends soon by itself.
  return name === sessionName || name === 'device-grant' || name.startsWith('revocation:');
}

/** Opened records, by name. */
export type FormerRecords = ReadonlyMap<string, unknown>;

const formerVersionText = v.string();

const formerSession = once((): v.GenericSchema<unknown, StoredSession> =>
  v.pipe(
    v.object(sessionMembers()),
    v.transform((session) => ({ ...session, dpopKey: null })),
  ),
);

const formerPending = once((): v.GenericSchema<unknown, PendingRevocation> =>
  v.pipe(
    v.object({
      providerId: formerVersionText,
      issuer: formerVersionText,
      refreshToken: formerVersionText,
      tries: number,
      endedAtMs: v.nullable(number),
      // The first version did not store these.
      clientId: v.optional(v.nullable(formerVersionText), null),
      subject: v.optional(v.nullable(formerVersionText), null),
      queuedAtMs: v.optional(number, 0),
    }),
    v.transform(({ refreshToken, endedAtMs, ...pending }) => ({
      ...pending,
      token: refreshToken,
      revocableSinceMs: endedAtMs,
    })),
  ),
);

/**
 * The record with what an earlier version has stored. `keys` are the stored keys that tokens are bound to, by name. If there is a
 * record too, that version was installed after this one, so its session is the newer one. What cannot be read is left out.
 */
export function takeOver(
  record: WorkerRecord,
  former: FormerRecords,
  keys: ReadonlyMap<string, CryptoKeyPair>,
  nowMs: number,
): WorkerRecord {
  const session = parse(formerSession(), former.get(sessionName));
  const pendingRevocations = [...former.values()]
    .flatMap((opened) => parse(formerPending(), opened) ?? [])
    .filter(({ token }) => !record.pendingRevocations.some((pending) => pending.token === token));
  const taken = withPendingRevocations(record, [...record.pendingRevocations, ...pendingRevocations]);
  if (session === null) return taken;
  const dpopKey = keys.get(`dpop:${session.id}`) ?? null;
  return step(taken, { type: 'granted', session: { ...session, dpopKey } }, nowMs);
}
