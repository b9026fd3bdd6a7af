// The records of the vault, and their schemas.

import * as v from 'valibot';
import type { OriginalClaims } from '../../oidc/original-claims.ts';
import type { TokenSet } from '../../oidc/tokens.ts';
import { once } from '../../concurrency/once.ts';
import { problemCodes, type ProblemCode } from '../../session/problem.ts';
import { profileSchema } from '../../session/profile-schema.ts';
import { read } from '../../session/shape.ts';
import type { Profile, ProviderId } from '../../session/session.ts';

/** A session with its tokens. */
export interface VaultSession {
  readonly version: 1;
  /** Unique to this session: another session of the same person has another id. */
  readonly id: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly profile: Profile;
  /** When the person started the sign-in that began this session, in milliseconds since the epoch. */
  readonly startedAtMs: number;
  /** When the provider last signed the person in, in the window or silently. */
  readonly authenticatedAtMs: number;
  /** Counts the token sets of this session, so that a late result for an older set is recognized. */
  readonly generation: number;
  readonly tokens: TokenSet;
  /** Claims of the last sign-in's ID token; null if an older version did not keep them. */
  readonly originalClaims?: OriginalClaims | null;
  /** The scope requested beyond the configured one, so that a silent sign-in requests it again; may be empty. */
  readonly additionalScope: string;
  /**
   * When the refresh token was sent to be renewed, in milliseconds since the epoch; null once the provider has
   * answered. A provider may have replaced the token in an answer that was lost.
   */
  readonly renewalSentAtMs?: number | null;
  /** The last try of silent sign-in; null if the tokens were renewed since. */
  readonly silentTry?: SilentTry | null;
  /** The key that the tokens are bound to (RFC 9449). Stored beside the sealed record, because it is not extractable. */
  readonly dpopKey: CryptoKeyPair | null;
}

/** The sealed part of a {@link VaultSession}. */
export type VaultSessionRecord = Omit<VaultSession, 'dpopKey'>;

/** A try of silent sign-in, stored because the next worker must keep the pause after it. */
export interface SilentTry {
  readonly atMs: number;
  /** Why it failed; null while it runs. A detail may repeat what a provider said, so it is not stored. */
  readonly failure: ProblemCode | null;
}

/** A refresh token that belongs to no stored session, and what its revocation needs. */
export interface LooseToken {
  readonly providerId: ProviderId;
  readonly issuer: string;
  /** The client that the token was issued to; null if a record of version 1 does not say. */
  readonly clientId: string | null;
  /** The subject of the grant; null if the token is to be revoked even while the same account is signed in. */
  readonly subject: string | null;
  /** With plain OAuth 2 it may be an access token: see {@link toLooseToken}. */
  readonly refreshToken: string;
}

/** A refresh token that is kept until it is revoked. */
export interface PendingRevocation extends LooseToken {
  readonly version: 2;
  /** When the token was queued, in milliseconds since the epoch. */
  readonly queuedAtMs: number;
  /**
   * Since when the token can be revoked. Null while a session of the same account goes on, because a provider may
   * revoke the whole grant with one of its tokens.
   */
  readonly endedAtMs: number | null;
  /** How many tries of the revocation may have reached the provider. */
  readonly tries: number;
}

/** Names the one session record. */
export const sessionKey = 'session';

/** Names the record of one {@link PendingRevocation}. */
export type RevocationKey = `revocation:${string}`;

export function createRevocationKey(): RevocationKey {
  return `revocation:${crypto.randomUUID()}`;
}

export function isRevocationKey(key: string): key is RevocationKey {
  return key.startsWith('revocation:');
}

const text = v.string();

/** A code of another version of the extension is no reason to lose the session. */
const problemCode = () =>
  v.pipe(
    text,
    v.transform((code) => problemCodes.find((known) => known === code) ?? 'unexpected'),
  );

const sessionSchema = once((): v.GenericSchema<unknown, VaultSessionRecord> =>
  v.object({
    version: v.literal(1),
    id: text,
    issuer: text,
    clientId: text,
    profile: v.custom<Profile>((value) => read(profileSchema, value) !== null),
    startedAtMs: v.number(),
    authenticatedAtMs: v.number(),
    generation: v.number(),
    tokens: v.union([
      v.object({
        type: v.picklist(['Bearer', 'DPoP']),
        accessToken: text,
        expiresAtMs: v.number(),
        refreshToken: v.nullable(text),
        idToken: v.nullable(text),
      }),
      v.object({
        type: v.literal('id_token'),
        idToken: text,
        expiresAtMs: v.number(),
        refreshToken: v.custom<null>((value) => value === null),
      }),
    ]),
    originalClaims: v.exactOptional(
      v.nullable(
        v.object({
          audiences: v.array(text),
          authorizedParty: v.nullable(text),
          nonce: text,
          authTimeSeconds: v.nullable(v.number()),
        }),
      ),
    ),
    additionalScope: text,
    renewalSentAtMs: v.exactOptional(v.nullable(v.number())),
    silentTry: v.exactOptional(
      v.nullable(
        v.object({
          atMs: v.number(),
          failure: v.nullable(problemCode()),
        }),
      ),
    ),
  }),
);

const pendingRevocation = () => ({ providerId: text, issuer: text, refreshToken: text, tries: v.number() });

/** Version 1 did not name the client, and never held a token back. */
const firstPendingRevocationSchema = () =>
  v.pipe(
    v.object({ ...pendingRevocation(), version: v.literal(1), endedAtMs: v.number() }),
    v.transform((first): PendingRevocation => ({
      ...first,
      version: 2,
      clientId: null,
      subject: null,
      queuedAtMs: first.endedAtMs,
    })),
  );

const pendingRevocationSchema = once((): v.GenericSchema<unknown, PendingRevocation> =>
  v.union([
    v.object({
      ...pendingRevocation(),
      version: v.literal(2),
      clientId: v.nullable(text),
      subject: v.nullable(text),
      queuedAtMs: v.number(),
      endedAtMs: v.nullable(v.number()),
    }),
    firstPendingRevocationSchema(),
  ]),
);

/** The session in an opened record; null for anything else, and for another version. */
export function parseSession(opened: unknown): VaultSessionRecord | null {
  return parse(sessionSchema(), opened);
}

/** The revocation in an opened record; null for anything else, and for another version. */
export function parsePendingRevocation(opened: unknown): PendingRevocation | null {
  return parse(pendingRevocationSchema(), opened);
}

function parse<T>(schema: v.GenericSchema<unknown, T>, opened: unknown): T | null {
  const result = v.safeParse(schema, opened);
  return result.success ? result.output : null;
}

/** Whether `stored` is the very session of `session`, with the very same set of tokens. */
export function isSameTokens(stored: VaultSession | null, session: VaultSession): boolean {
  return stored?.id === session.id && stored.generation === session.generation;
}

/**
 * The token of a session that is not stored (any more) and has to be revoked: its refresh token, or with plain OAuth 2 its
 * access token, which may work for ever without one. Null if there is none; an access token beside an ID token soon expires.
 */
export function toLooseToken({ profile, issuer, clientId, tokens }: VaultSessionRecord): LooseToken | null {
  const { providerId, subject } = profile;
  const isPlain = tokens.type !== 'id_token' && tokens.idToken === null;
  const refreshToken = tokens.refreshToken ?? (isPlain ? tokens.accessToken : null);
  return refreshToken === null ? null : { providerId, issuer, clientId, subject, refreshToken };
}

/**
 * Whether a token and a session belong to one account of one client, and so may share a grant. The same subject at
 * another client is another account.
 */
export function sharesGrant(token: LooseToken, session: VaultSession | null): boolean {
  return (
    token.issuer === session?.issuer &&
    token.clientId === session.clientId &&
    token.subject === session.profile.subject
  );
}
