// The record as it is stored, and its parser. Its parts are parsed one by one, so damage to one costs only that part.

import * as v from '../../session/shape.ts';
import { problemCodes } from '../../session/problem.ts';
import { profileSchema } from '../../session/view.ts';
import { toPendingRevocation, toRevocableToken } from './revocable.ts';
import {
  emptyRecord,
  type ApiGrant,
  type CodeSignIn,
  type PendingRevocation,
  type RevocableToken,
  type WorkerRecord,
} from './record.ts';

const text = v.string();
/** One that JSON can hold: it reads a number of 400 digits as infinite, and writes that as null. */
const number = v.pipe(v.number(), Number.isFinite);

/** A code from another version of the extension mustn't cost the session. */
const problemCode = (code: unknown) => v.read(v.picklist(problemCodes), code) ?? 'unexpected';

const tokenType = v.picklist(['Bearer', 'DPoP']);
const tokensSchema = v.union([
  v.object({
    type: tokenType,
    accessToken: text,
    expiresAtMs: number,
    refreshToken: v.nullable(text),
    idToken: v.nullable(text),
  }),
  v.object({
    type: v.literal('id_token'),
    idToken: text,
    expiresAtMs: number,
    refreshToken: v.custom<null>((value) => value === null),
  }),
]);

const pauseSchema = v.nullable(
  v.object({ untilMs: number, lengthMs: number, failure: problemCode, sinceMs: v.exactOptional(number) }),
);

const apisSchema: v.Schema<ApiGrant[]> = v.array(
  v.object({
    key: text,
    additionalScope: text,
    token: v.nullable(v.object({ type: tokenType, accessToken: text, expiresAtMs: number })),
    pause: pauseSchema,
  }),
);

/** Members of another version are carried along. */
const sessionSchema = v.looseObject({
  id: text,
  issuer: text,
  clientId: text,
  profile: profileSchema,
  startedAtMs: number,
  authenticatedAtMs: number,
  generation: number,
  tokens: tokensSchema,
  additionalScope: text,
  grantedScope: v.nullable(text),
  /** Damage to them mustn't cost the session, because their tokens can be requested again. */
  apis: (apis) => v.read(apisSchema, apis) ?? [],
  refusals: v.array(v.object({ origin: text, generation: number, atMs: number })),
  originalClaims: v.nullable(
    v.object({
      audiences: v.array(text),
      authorizedParty: v.nullable(text),
      nonce: text,
      authTimeSeconds: v.nullable(number),
    }),
  ),
  renewalSentAtMs: v.nullable(number),
  userInfoDueMs: v.nullable(number),
  silentTriedAtMs: v.nullable(number),
  pause: pauseSchema,
  dpopKey: v.nullable(text),
});

const codeSchema: v.Schema<CodeSignIn> = v.object({
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
});

const revocableMembers = {
  providerId: text,
  issuer: text,
  clientId: v.nullable(text),
  subject: v.nullable(text),
  token: text,
  expiresAtMs: v.exactOptional(number),
};

const revocableSchema: v.Schema<RevocableToken> = v.object(revocableMembers);

const pendingSchema: v.Schema<PendingRevocation> = v.looseObject({
  ...revocableMembers,
  queuedAtMs: number,
  revocableSinceMs: v.nullable(number),
  firstSentAtMs: v.nullable(number),
  pause: pauseSchema,
});

/**
 * The sealed part of the record as JSON can hold it; null if there is nothing to seal. Besides its parts it names the session's
 * token in a form that never changes, so that each version can revoke the token of a session that it cannot read. `keyName` is
 * that of the stored key that the tokens are bound to.
 */
export function serializeRecord(
  { session, codeSignIn, pendingRevocations, applied, others }: WorkerRecord,
  keyName: string,
): object | null {
  const isEmpty = session === null && codeSignIn === null && pendingRevocations.length === 0;
  if (isEmpty && Object.keys(others).length === 0) return null;
  const named = session && { ...session, dpopKey: session.dpopKey && keyName };
  return {
    ...others,
    session: named,
    codeSignIn,
    pendingRevocations,
    applied,
    revocable: session && toRevocableToken(session),
  };
}

/**
 * The record in what {@link serializeRecord} has returned, in this version or another one, with its key. The token of a session that
 * can't be read is to be revoked from now on. Never throws.
 */
export function parseRecord(
  stored: unknown,
  keys: ReadonlyMap<string, CryptoKeyPair>,
  nowMs: number,
): WorkerRecord {
  if (typeof stored !== 'object' || stored === null) return emptyRecord;
  const {
    session: storedSession,
    codeSignIn,
    pendingRevocations: storedPending,
    applied,
    revocable,
    ...others
  } = stored as Record<string, unknown>;
  const session = v.read(sessionSchema, storedSession);
  const pendingRevocations = (Array.isArray(storedPending) ? storedPending : []).flatMap(
    (pending: unknown) => v.read(pendingSchema, pending) ?? [],
  );
  const unread = session === null ? v.read(revocableSchema, revocable) : null;
  return {
    ...emptyRecord,
    session: session && { ...session, dpopKey: keys.get(session.dpopKey ?? '') ?? null },
    codeSignIn: v.read(codeSchema, codeSignIn),
    pendingRevocations:
      unread === null ? pendingRevocations : [...pendingRevocations, toPendingRevocation(unread, nowMs)],
    applied: v.read(v.array(text), applied) ?? [],
    others,
  };
}
