// The valibot schema of a provider's settings for requests to it, and for the answers that are accepted.

import * as v from 'valibot';
import { once } from '../concurrency.ts';
import { explainParameter } from './keys.ts';
import { line, listOf, matching, oneOf, origin, record, strictObject, text } from './value-schema.ts';

/** RFC 6749, section 3.3. A separator is in no name, so that there is one way to match, in linear time. */
const scopeNames = /^[!#-[\]-~]+( [!#-[\]-~]+)*$/;
/** The same; may be empty. */
export const scopePattern = /^([!#-[\]-~]+( [!#-[\]-~]+)*)?$/;

const maxSeconds = 100 * 365 * 24 * 60 * 60;
const wholeSeconds = `a whole number of seconds, 0 to ${maxSeconds} (100 years)`;
const seconds = () =>
  v.pipe(
    v.number(wholeSeconds),
    v.integer(wholeSeconds),
    v.minValue(0, wholeSeconds),
    v.maxValue(maxSeconds, wholeSeconds),
  );

/** OpenID Connect Core, section 3.1.2.1. */
const prompt = () =>
  matching(
    /^(?!none\b)[a-z_]{1,40}( (?!none\b)[a-z_]{1,40}){0,4}$/,
    'what the provider shows, separated by single spaces, such as "consent", "login" or "select_account"; not "none"',
  );

const allowedValue = 'a string, a number, true or false';
const exact = `a number of at most ${Number.MAX_SAFE_INTEGER}, because larger ones are rounded`;
/** Two different numbers of a provider could become equal by rounding. */
const exactNumber = () =>
  v.pipe(v.number(), v.minValue(Number.MIN_SAFE_INTEGER, exact), v.maxValue(Number.MAX_SAFE_INTEGER, exact));
const allowedValues = () =>
  listOf(
    v.union([text(allowedValue), exactNumber(), v.boolean()], allowedValue),
    1,
    1000,
    'a list of 1 to 1000 values, such as ["example.com"]',
  );

const resource = () =>
  matching(
    /^[A-Za-z][A-Za-z\d+.-]*:[^#\s]+$/,
    'an absolute URI without a fragment, such as "https://api.example.com"',
  );
const audience = () => matching(/\S/, 'the name of the API at the provider');

const requestableScope = () =>
  v.exactOptional(matching(scopePattern, 'scopes separated by single spaces, or ""'));

/** An API that requires a token of its own. */
export const apiEntries = once(() => ({
  /** The name of the API, as the popup shows it when the API asks the user to confirm who they are. */
  name: v.nullish(line('the name of the API', 100), null),
  /** The origins that get its token. No other API may list one of them. */
  origins: listOf(origin(), 1, 20, 'a list of 1 to 20 origins, such as ["https://api.example.com"]'),
  /** The scopes of its token. Without this key, the provider decides. */
  scope: v.nullish(matching(scopeNames, 'scopes separated by single spaces'), null),
  /** The additional scopes that it may ask for, as below. */
  requestableScope: requestableScope(),
  /** The API that its token is for, as an absolute URI (RFC 8707). */
  resource: v.nullish(resource(), null),
  /** The API that its token is for, at providers that use "audience" instead of "resource". */
  audience: v.nullish(audience(), null),
}));

const audiences = '"any" or a list of audiences, such as ["123456789", "another-client"]';

/** The settings of the requests. */
export const requestEntries = () => ({
  /**
   * The token that the APIs of "apiOrigins" take as Bearer. "id_token" goes with the "responseType" "id_token" only.
   */
  apiToken: oneOf(['access_token', 'id_token']),
  /**
   * What the sign-in page returns. "code": a code, which is redeemed for tokens. "id_token": the ID token itself and no other
   * token (implicit flow), for a provider that redeems a code only with a client secret, such as Google.
   */
  responseType: oneOf(['code', 'id_token']),
  /**
   * The redirect URI in Firefox. "extensions.allizom.org": the extension's own host there. "loopback":
   * http://127.0.0.1/mozoauth2/…, for a provider that accepts only hosts that you own, such as Google.
   */
  firefoxRedirect: oneOf(['extensions.allizom.org', 'loopback']),
  /**
   * Additional parameters of the authorization request. Those that the extension sets itself, such as "state", are refused.
   */
  authorizationParameters: v.optional(
    record(
      'an object with a string for each parameter',
      matching(/^[A-Za-z\d._-]+$/, 'a name of letters, digits, ".", "_" and "-"'),
      text('a string'),
      explainParameter,
    ),
    {},
  ),
  /**
   * The "prompt" of each sign-in in a window, such as "consent" at a provider that issues refresh tokens only then.
   */
  signInPrompt: v.nullish(prompt(), null),
  /**
   * The "prompt" of "Use another account". Without it: "select_account", and "signInPrompt". Some providers require "login".
   */
  otherAccountPrompt: v.nullish(prompt(), null),
  /**
   * How a request identifies a user to the provider ("login_hint"). "auto": by the claim "login_hint", "preferred_username" or
   * "upn", or else by the email address. "username": never by the email address, because people sign in with something else, as
   * at Microsoft Entra.
   */
  loginHint: oneOf(['auto', 'username']),
  /** The API that the access token is for (RFC 8707). */
  resource: v.nullish(resource(), null),
  /** The API that the access token is for, at providers that use "audience" instead of "resource". */
  audience: v.nullish(audience(), null),
  /**
   * The scopes that "requestScope" and the APIs of "apiOrigins" may ask for after the sign-in; "" for none. Without it, any that
   * isn't a different API's. Each of "apis" has a list of its own.
   */
  requestableScope: requestableScope(),
  /**
   * Additional APIs, each with an access token of its own, requested when the feature first calls one of its origins. The sign-in
   * asks for the scopes of all.
   */
  apis: v.optional(
    listOf(
      strictObject('an object with "origins"', apiEntries()),
      0,
      20,
      'a list of at most 20 APIs, each an object with "origins"',
    ),
    [],
  ),
});

/** The responses that are accepted. */
export const answerEntries = () => ({
  /**
   * The maximum age of the user's authentication when they sign in ("max_age"), which the extension checks ("auth_time"). It
   * doesn't end a session: one with a refresh token lasts as long as that, so limit its lifetime at the provider too.
   */
  maxAgeSeconds: v.nullish(seconds(), null),
  /**
   * The lifetime of refresh tokens, if it's counted from the sign-in even when they're renewed (86400 for single-page
   * applications at Microsoft Entra). The extension signs in silently before they end.
   */
  refreshTokenSeconds: v.nullish(seconds(), null),
  /** Whether signing out at the provider ends the session here too. */
  endWithProvider: v.optional(v.boolean('true or false'), false),
  /**
   * The accepted authentication contexts ("acr_values"). "acr" in the ID token of a sign-in must be one of them. List all that an
   * API's challenge may ask for, the usual one first. It doesn't end a session.
   */
  acrValues: v.nullish(
    matching(/^[!-~]+( [!-~]+)*$/, 'authentication contexts separated by single spaces'),
    null,
  ),
  /**
   * Additional audiences ("aud") that an ID token may have (OpenID Connect Core 3.1.3.7). "azp" must still be this client. "any"
   * is for Zitadel, whose tokens list every client of the project, and is refused with the "responseType" "id_token".
   */
  trustedAudiences: v.optional(
    v.union([v.literal('any'), listOf(matching(/\S/, 'an audience'), 0, 1000, audiences)], audiences),
    [],
  ),
  /**
   * Claims that the feature gets in "user.claims", such as roles: from the verified ID token, or else from UserInfo. Each is a
   * text, a number, true or false, or a list of these; others are left out. They decide what a page shows; only your API can
   * decide what someone may do.
   */
  profileClaims: v.exactOptional(
    listOf(
      matching(/^(?!(?:__proto__|constructor|prototype)$)\S{1,200}$/, 'a claim name'),
      0,
      20,
      'a list of at most 20 claim names, such as ["roles"]',
    ),
  ),
  /**
   * Who may sign in: for each claim, a list of values. The ID token must have one of them. Without it, everyone may.
   */
  allowed: v.optional(
    record(
      'an object with a list of values for each claim',
      matching(/^\S{1,200}$/, 'a claim name'),
      allowedValues(),
    ),
    {},
  ),
});
