// The record: everything that outlives the worker and that only the worker may read. It is stored as one piece, in one
// transaction, so no part of it can be newer than another.

import type { Provider } from '../../config/provider.ts';
import { joinScopes, toApiKey, type AdditionalScopes } from '../../oidc/authorize.ts';
import type { OriginalClaims } from '../../oidc/id-token.ts';
import type { AccessTokenSet, RenewedClaims, TokenSet } from '../../oidc/tokens.ts';
import type { Profile, ProviderId, DeviceCode } from '../../session/view.ts';
import type { Pause, Failure } from './pause.ts';
import type { Problem } from '../../session/problem.ts';

export interface WorkerRecord {
  /** The signed-in session; null when signed out. */
  readonly session: StoredSession | null;
  /** The sign-in with a code for the user to enter; null if none is under way. */
  readonly codeSignIn: CodeSignIn | null;
  /** The tokens that no session uses and that must still be revoked. */
  readonly pendingRevocations: readonly PendingRevocation[];
  /** Whether the user has signed out and not signed in since. It is stored unencrypted, so that losing the key doesn't lose it. */
  readonly isSignedOutOnPurpose: boolean;
  /** The ids of the last events that have changed it, oldest first: an event that comes again changes nothing. */
  readonly applied: readonly string[];
  /** Members that another version of the extension has stored. They are carried along. */
  readonly others: Readonly<Record<string, unknown>>;
}

/** A session with its tokens. */
export interface StoredSession {
  /** Unique to this session: another session of the same user has another id. */
  readonly id: string;
  /** Counts the token sets of this session, so that a late result for an older set is recognized. */
  readonly generation: number;
  readonly issuer: string;
  readonly clientId: string;
  readonly profile: Profile;
  /** When the user started the sign-in that began this session, in milliseconds since the epoch. */
  readonly startedAtMs: number;
  /** When the provider last signed the user in, in the window or silently. */
  readonly authenticatedAtMs: number;
  readonly tokens: TokenSet;
  /** Claims of the last sign-in's ID token; null if that sign-in had none. */
  readonly originalClaims: OriginalClaims | null;
  /** The scope requested beyond the configured one, so that a silent sign-in requests it again; may be empty. */
  readonly additionalScope: string;
  /** The scope that the provider says it has granted at the sign-in; null if it said nothing. */
  readonly grantedScope: string | null;
  /** The APIs with tokens of their own that have been called. Their tokens come from the refresh token and end with it. */
  readonly apis: readonly ApiGrant[];
  /**
   * When the refresh token was about to be sent, in milliseconds since the epoch; null if the provider has responded, or
   * nothing was sent. A provider may have replaced the token in a response that was lost.
   */
  readonly renewalSentAtMs: number | null;
  /** When silent sign-in was tried last, in milliseconds since the epoch; null if it wasn't. */
  readonly silentTriedAtMs: number | null;
  /** The pause after the last renewal; null if it needed none. */
  readonly pause: Pause | null;
  /** The APIs that have refused tokens right after a renewal. */
  readonly refusals: readonly TokenRefusal[];
  /** When to ask UserInfo for the rest of the profile, in milliseconds since the epoch; null if the profile is complete. */
  readonly userInfoDueMs: number | null;
  /** The key that the tokens are bound to (RFC 9449); null if they aren't bound. It is stored next to the record. */
  readonly dpopKey: CryptoKeyPair | null;
}

/** The grant for an API that has its own token. */
export interface ApiGrant {
  /** Names the settings that the token was requested with. */
  readonly key: string;
  /** The scope requested beyond the configured one; may be empty. */
  readonly additionalScope: string;
  /** Null if it wasn't requested yet, or has been refused. */
  readonly token: ApiToken | null;
  /** The pause after the last request; null if it needed none. */
  readonly pause: Pause | null;
}

/** An API that has refused a token right after a renewal: a new one would be refused as well, for a while. */
interface TokenRefusal {
  readonly origin: string;
  /** The set of tokens that it refused. */
  readonly generation: number;
  readonly atMs: number;
}

/** The access token for an API. */
export type ApiToken = Pick<AccessTokenSet, 'type' | 'accessToken' | 'expiresAtMs'>;

/** The tokens of a session, with the user and the client that they were issued to. */
export type Grant = Pick<StoredSession, 'profile' | 'issuer' | 'clientId' | 'tokens'>;

/** A code that the provider has issued for one sign-in, with its secret. */
export interface DeviceGrant {
  readonly shown: DeviceCode;
  /** The secret: with it and the client ID, anyone gets the tokens once the user has agreed. */
  readonly deviceCode: string;
  /** The pause between two requests for the tokens. */
  readonly intervalSeconds: number;
}

/**
 * A sign-in that shows a code (RFC 8628), stored because the next worker goes on waiting. Its device code is a secret like a
 * token, and sent only to the client that it was issued to.
 */
export interface CodeSignIn {
  readonly providerId: ProviderId;
  readonly issuer: string;
  readonly clientId: string;
  readonly startedAtMs: number;
  readonly grant: DeviceGrant;
  /** The scope requested beyond the configured one; null at an ordinary sign-in. */
  readonly additionalScope: string | null;
}

/** A token that has to be revoked once no session uses it, with what the revocation needs. */
export interface RevocableToken {
  readonly providerId: ProviderId;
  readonly issuer: string;
  /** The client that the token was issued to; null if it isn't known. */
  readonly clientId: string | null;
  /** The user; null if it isn't known. */
  readonly subject: string | null;
  /** A refresh token, or an access token that comes without one: see `toRevocableToken`. */
  readonly token: string;
  /** When it expires, in milliseconds since the epoch. Only an access token's expiry is known. */
  readonly expiresAtMs?: number;
}

/** A token that must be revoked. */
export interface PendingRevocation extends RevocableToken {
  /** When the session stopped using it, in milliseconds since the epoch. */
  readonly queuedAtMs: number;
  /**
   * Since when it can be revoked. Null while its account is signed in, because a provider may revoke the whole grant with
   * one of its tokens.
   */
  readonly revocableSinceMs: number | null;
  /** When the revocation may have reached the provider for the first time, in milliseconds since the epoch; null if it hasn't. */
  readonly firstSentAtMs: number | null;
  /** The pause after the last request; null if it needed none. */
  readonly pause: Pause | null;
}

export const emptyRecord: WorkerRecord = {
  session: null,
  codeSignIn: null,
  pendingRevocations: [],
  isSignedOutOnPurpose: false,
  applied: [],
  others: {},
};

/** The session's grant for the API with this key; an empty one if it was never asked for. */
export function findApi({ apis }: Pick<StoredSession, 'apis'>, key: string): ApiGrant {
  return apis.find((api) => api.key === key) ?? { key, additionalScope: '', token: null, pause: null };
}

/** The same APIs, without tokens. */
export function withoutTokens(apis: readonly ApiGrant[]): readonly ApiGrant[] {
  return apis.map((api) => ({ ...api, token: null, pause: null }));
}

/** The token for an API in a response, and the session's tokens, updated by that response. */
export function splitTokens(
  former: TokenSet,
  { refreshToken, idToken, ...token }: AccessTokenSet,
): { readonly own: TokenSet; readonly token: ApiToken } {
  return { own: former.type === 'id_token' ? former : { ...former, refreshToken, idToken }, token };
}

/** The scopes that the user has allowed beyond the configured ones. Those of APIs that were taken away don't count. */
export function toAdditional(
  session: Pick<StoredSession, 'additionalScope' | 'apis'>,
  { apis }: Pick<Provider, 'apis'>,
): AdditionalScopes {
  const ofApis = apis.map((api) => findApi(session, toApiKey(api)).additionalScope);
  return { own: session.additionalScope, ofApis: joinScopes(...ofApis) };
}

/** Whether there is a `session`, and it has exactly this set of tokens. */
export function isSameTokens<Session extends Pick<StoredSession, 'id' | 'generation'>>(
  session: Session | null,
  { id, generation }: Pick<StoredSession, 'id' | 'generation'>,
): session is Session {
  return session?.id === id && session.generation === generation;
}

// The events that change the record.

/** New tokens of a session, and what they say of the user. */
export type NewTokens = Pick<StoredSession, 'tokens' | 'dpopKey' | 'authenticatedAtMs' | 'originalClaims'> &
  RenewedClaims;

/** The session and the set of tokens that an event is about. If it is no longer the present one, the event changes nothing. */
type Cause = Pick<StoredSession, 'id' | 'generation' | 'profile' | 'issuer' | 'clientId'>;

/** Whether a refresh token still works: the provider may have replaced or refused it. */
export type FormerToken = 'works' | 'used';

/** A renewal that is about to be tried. */
export type Tried = Partial<Pick<StoredSession, 'renewalSentAtMs' | 'silentTriedAtMs'>>;

/**
 * The outcome of a request to revoke a token: `done`, `refused` and `unsupported` are the provider's final responses, and
 * `not-configured` says that the configuration has no provider for it. After `failed` the request may have reached the
 * provider, and after `unsent` it hasn't.
 */
export type RevocationResult = 'done' | 'refused' | 'unsupported' | 'not-configured' | 'failed' | 'unsent';

export type RecordEvent =
  /** A sign-in has brought a session. */
  | { readonly type: 'granted'; readonly session: StoredSession }
  /** That session couldn't be stored, and the user was told so. `before` is what it would have replaced. */
  | {
      readonly type: 'grant-withdrawn';
      readonly session: StoredSession;
      readonly before: Pick<WorkerRecord, 'session' | 'isSignedOutOnPurpose'>;
    }
  /** A renewal has brought tokens. `former` says whether the refresh token before them still works. */
  | {
      readonly type: 'renewed';
      readonly cause: Cause;
      readonly renewed: NewTokens;
      readonly former: FormerToken;
    }
  /** A renewal for an API with a token of its own has brought one, and with it, perhaps, another refresh token. */
  | {
      readonly type: 'api-granted';
      readonly cause: Cause;
      readonly api: Pick<ApiGrant, 'key' | 'additionalScope'>;
      readonly tokens: AccessTokenSet;
      readonly news?: RenewedClaims;
    }
  /** A request for an API's token has failed. `cause` is as it was before. */
  | {
      readonly type: 'api-failed';
      readonly cause: Cause & Pick<StoredSession, 'renewalSentAtMs'>;
      readonly key: string;
      readonly failure: Failure;
    }
  /** The tokens are about to be renewed. */
  | {
      readonly type: 'renewal-tried';
      readonly cause: Cause & Pick<StoredSession, 'renewalSentAtMs'>;
      readonly tried: Tried;
    }
  /** The tokens couldn't be renewed. `cause` is as it was before. */
  | {
      readonly type: 'renewal-failed';
      readonly cause: Cause & Pick<StoredSession, 'renewalSentAtMs'>;
      readonly failure: Failure;
    }
  /** An API has refused a token right after a renewal. */
  | { readonly type: 'token-refused'; readonly cause: Cause; readonly origin: string }
  /** UserInfo is about to be asked for the rest of the profile. */
  | { readonly type: 'user-info-asked'; readonly cause: Cause; readonly nextAtMs: number }
  /** More is known about a session's user. Its tokens may have been renewed in the meantime. */
  | { readonly type: 'profile-completed'; readonly cause: Cause; readonly profile: Profile }
  /** The session is over. `former` says whether its refresh token still works. */
  | {
      readonly type: 'ended';
      readonly cause: Cause;
      readonly former: FormerToken;
      /** Why; the record doesn't keep it. */
      readonly problem: Problem;
    }
  /**
   * The user has signed out, or the session must not be kept where it is stored. `session` is the id of the session that is meant,
   * null if there was none; without it, any is.
   */
  | {
      readonly type: 'signed-out';
      readonly by: 'user' | 'configuration';
      readonly session?: string | null;
    }
  /** A sign-in shows a code, or the provider asks it to poll more slowly. */
  | { readonly type: 'code-shown'; readonly codeSignIn: CodeSignIn }
  /** The sign-in that showed a code has ended. */
  | { readonly type: 'code-ended' }
  /** A token has come that no session uses. */
  | { readonly type: 'token-left-over'; readonly token: RevocableToken }
  /** A pending revocation is about to be sent. */
  | { readonly type: 'revocation-sent'; readonly token: string }
  /** `pending` is as it was before. `retryAfterMs` is how long the provider asks to wait; 0 if it doesn't. */
  | {
      readonly type: 'revocation-answered';
      readonly pending: PendingRevocation;
      readonly result: RevocationResult;
      readonly retryAfterMs: number;
    }
  /** The worker looks for pending revocations to send. It gives up those that have taken too long. */
  | { readonly type: 'revocations-checked' };
