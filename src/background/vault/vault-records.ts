// The records of the vault, and their schemas.

import * as v from 'valibot';
import type { TokenSet } from '../../oidc/tokens.ts';
import { profileSchema } from '../../session/profile-schema.ts';
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
  /** The scope requested beyond the configured one, so that a silent sign-in requests it again; may be empty. */
  readonly additionalScope: string;
  /** The key that the tokens are bound to (RFC 9449). Stored beside the sealed record, because it is not extractable. */
  readonly dpopKey: CryptoKeyPair | null;
}

/** The sealed part of a {@link VaultSession}. */
export type VaultSessionRecord = Omit<VaultSession, 'dpopKey'>;

/** The refresh token of an ended session, kept until it is revoked. */
export interface PendingRevocation {
  readonly version: 1;
  readonly providerId: ProviderId;
  readonly issuer: string;
  readonly refreshToken: string;
  /** When the session ended, in milliseconds since the epoch. */
  readonly endedAtMs: number;
  /** How often the revocation was tried. */
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

const sessionSchema: v.GenericSchema<unknown, VaultSessionRecord> = v.object({
  version: v.literal(1),
  id: text,
  issuer: text,
  clientId: text,
  profile: profileSchema,
  startedAtMs: v.number(),
  authenticatedAtMs: v.number(),
  generation: v.number(),
  tokens: v.object({
    type: v.picklist(['Bearer', 'DPoP']),
    accessToken: text,
    expiresAtMs: v.number(),
    refreshToken: v.nullable(text),
    idToken: v.nullable(text),
  }),
  additionalScope: text,
});

const pendingRevocationSchema: v.GenericSchema<unknown, PendingRevocation> = v.object({
  version: v.literal(1),
  providerId: text,
  issuer: text,
  refreshToken: text,
  endedAtMs: v.number(),
  tries: v.number(),
});

/** The session in an opened record; null for anything else, and for another version. */
export function parseSession(opened: unknown): VaultSessionRecord | null {
  return parse(sessionSchema, opened);
}

/** The revocation in an opened record; null for anything else, and for another version. */
export function parsePendingRevocation(opened: unknown): PendingRevocation | null {
  return parse(pendingRevocationSchema, opened);
}

function parse<T>(schema: v.GenericSchema<unknown, T>, opened: unknown): T | null {
  const result = v.safeParse(schema, opened);
  return result.success ? result.output : null;
}

/** Whether `stored` is the very session of `session`, with the very same set of tokens. */
export function isSameTokens(stored: VaultSession | null, session: VaultSession): boolean {
  return stored?.id === session.id && stored.generation === session.generation;
}

/** Whether two sessions belong to one account at one issuer, and so may share a grant. */
export function isSameAccount(one: VaultSession, other: VaultSession): boolean {
  return one.issuer === other.issuer && one.profile.subject === other.profile.subject;
}
