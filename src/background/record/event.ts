// The events that change the record.

import type { AccessTokenSet } from '../../oidc/tokens.ts';
import type { Problem } from '../../session/problem.ts';
import type { Profile } from '../../session/session.ts';
import type { Failure } from './pause.ts';
import type { ApiGrant, CodeSignIn, RevocableToken, StoredSession } from './record.ts';

/** New tokens of a session. */
export type NewTokens = Pick<StoredSession, 'tokens' | 'dpopKey' | 'authenticatedAtMs' | 'originalClaims'>;

/** The session and the set of tokens that an event is about. If it is no longer the present one, the event changes nothing. */
type Cause = Pick<StoredSession, 'id' | 'generation' | 'profile' | 'issuer' | 'clientId'>;

/** Whether a refresh token still works: the provider may have replaced or refused it. */
export type FormerToken = 'works' | 'used';

/** A renewal that is about to be tried. */
export type Tried = Partial<Pick<StoredSession, 'renewalSentAtMs' | 'silentTriedAtMs'>>;

/**
 * The outcome of a request to revoke a token: `done`, `refused` and `unsupported` are the provider's final answers, and
 * `not-configured` says that the configuration has no provider for it. After `failed` the request may have reached the
 * provider, and after `unsent` it has not.
 */
export type RevocationResult = 'done' | 'refused' | 'unsupported' | 'not-configured' | 'failed' | 'unsent';

export type RecordEvent =
  /** A sign-in has brought a session. */
  | { readonly type: 'granted'; readonly session: StoredSession }
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
    }
  /** A request for an API's token has failed. `cause` is as it was before. */
  | {
      readonly type: 'api-failed';
      readonly cause: Cause & Pick<StoredSession, 'renewalSentAtMs'>;
      readonly key: string;
      readonly failure: Failure;
    }
  /** The tokens are about to be renewed. */
  | { readonly type: 'renewal-tried'; readonly cause: Cause; readonly tried: Tried }
  /** The tokens could not be renewed. `cause` is as it was before. */
  | {
      readonly type: 'renewal-failed';
      readonly cause: Cause & Pick<StoredSession, 'renewalSentAtMs'>;
      readonly failure: Failure;
    }
  /** UserInfo is about to be asked for the rest of the profile. */
  | { readonly type: 'user-info-asked'; readonly cause: Cause; readonly nextAtMs: number }
  /** More is known about a session's user. Its tokens may have been renewed in the meantime. */
  | { readonly type: 'profile-completed'; readonly cause: Cause; readonly profile: Profile }
  /** The session is over. `former` says whether its refresh token still works. */
  | {
      readonly type: 'ended';
      readonly cause: Cause;
      readonly former: FormerToken;
      /** Why; the record does not keep it. */
      readonly problem: Problem;
    }
  /** The user has signed out, or the session must not be kept where it is stored. */
  | { readonly type: 'signed-out'; readonly by: 'user' | 'configuration' }
  /** A sign-in shows a code, or the provider wants it to ask more slowly. */
  | { readonly type: 'code-shown'; readonly codeSignIn: CodeSignIn }
  /** The sign-in that showed a code has ended. */
  | { readonly type: 'code-ended' }
  /** A token has come that no session uses. */
  | { readonly type: 'token-left-over'; readonly token: RevocableToken }
  /** a pending revocation is about to be sent. */
  | { readonly type: 'revocation-sent'; readonly token: string }
  | { readonly type: 'revocation-answered'; readonly token: string; readonly result: RevocationResult }
  /** The worker looks for pending revocations to send. It gives up those that have taken too long. */
  | { readonly type: 'revocations-checked' };
