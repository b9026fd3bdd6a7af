// Every response of an OAuth endpoint or UserInfo is read here, before anything else sees it. Liberal about its form: other files
// are strict about whose token it is and who signed it.

import * as oauth from 'oauth4webapi';
import type { Provider } from '../config/provider.ts';
import { isObject } from '../session/shape.ts';
import { parseObject, readClaims, toClaims, type Members } from './jwt.ts';
import { isListed, toStandardCode } from './problems.ts';

/**
 * Converts a response of an OAuth endpoint to a standard one, which {@link readStandardAnswer} reads. A 429 or 5xx doesn't come here: it
 * says that the provider can't respond now, whatever the rest of it says.
 * - any 2xx is a success (RFC 6749 section 5.1 has 200, RFC 9126 section 2.2 has 201, and some revoke with 204), but for an error, which
 *   gets a status of at least 400;
 * - a body that names an error is that error, whatever the status. Without one, that of `WWW-Authenticate` counts. A success with an
 *   access token has none;
 * - null, an empty text and an empty list count as missing; a list of one is its value; a number or a boolean stands for its text,
 *   and a text for its number. A lifetime or an interval that can't be read is missing, and so is any other object or list;
 * - a scope that is a list, or has commas as at GitHub, gets spaces;
 * - a body in the form encoding becomes JSON;
 * - a token type that is missing is Bearer, the only one that needs no request;
 * - from a provider of plain OAuth 2, an ID token is removed, because nothing verifies it, so nothing may use it.
 *
 * `onArrival` gets the token of the response before anything is checked. `sentToken` is the refresh token that the request carried.
 */
export async function toStandardAnswer(
  { userApi }: Provider,
  response: Response,
  onArrival?: OnArrival,
  sentToken: string | null = null,
): Promise<Response> {
  const { ok, status } = response;
  const text = await response.clone().text();
  const body = parseSingle(text) ?? parseForm(response, text);
  const members = body ?? {};
  const found: Partial<Record<string, string>> = {};
  for (const name of Object.keys(members)) found[name] = toText(members[name]);
  const isGrant = ok && found['access_token'] !== undefined;
  const error = isGrant
    ? undefined
    : (readError(members) ?? (ok ? undefined : readChallengedError(response)));
  if (error === undefined && body === null) return response;
  const headers = new Headers(response.headers);
  headers.delete('www-authenticate');
  headers.set('content-type', 'application/json');
  const { access_token, token_type = access_token && 'Bearer', id_token, refresh_token } = found;
  const { message = error && toText(findInner(members)['message']), error_description = message } = found;
  const standard = {
    ...found,
    // Azure DevOps has "jwt-bearer" (https://github.com/MicrosoftDocs/azure-devops-docs/issues/810).
    token_type: /bearer/i.test(token_type ?? '') ? 'Bearer' : token_type?.trim(),
    id_token: userApi === null ? id_token : undefined,
    expires_in: toNumber(members['expires_in']),
    interval: toNumber(members['interval']) || undefined,
    scope: toScope(members['scope']),
    // A user's refusal never comes with a 401. Auth0 means that it requires a secret:
    // https://github.com/auth0/auth0-spa-js/issues/539
    error: status === 401 && error === 'access_denied' ? 'invalid_client' : error,
    error_description,
  };
  const token = refresh_token ?? access_token;
  const isAlone = refresh_token === undefined;
  if (token !== undefined)
    onArrival?.({
      token,
      replaces: isAlone ? null : sentToken,
      readOwner: () => readOwner(standard.id_token),
      lifetimeSeconds: isAlone ? (standard.expires_in ?? null) : null,
    });
  const init = { status: ok && error !== undefined ? 400 : status, headers };
  return new Response(JSON.stringify(standard), init);
}

/** A token that a response has brought. It works, so it has to be revoked unless something stores it. */
export interface Arrival {
  /** The refresh token, or an access token that came alone. */
  readonly token: string;
  /** The refresh token that was sent, if this is a different one: the provider no longer accepts it. */
  readonly replaces: string | null;
  /** Reads the ID token that came with it. */
  readonly readOwner: () => ReturnType<typeof readOwner>;
  /** How long an access token lasts; null for a refresh token, and if the response doesn't say. */
  readonly lifetimeSeconds: number | null;
}

export type OnArrival = (arrival: Arrival) => void;

/** `iss` and `sub` of an ID token, which is unverified; null where they can't be read. */
function readOwner(idToken: string | undefined) {
  const { iss, sub } = (idToken !== undefined && readClaims(idToken)) || {};
  return { issuer: typeof iss === 'string' ? iss : null, subject: typeof sub === 'string' ? sub : null };
}

/** Checks that a standard response is a success. Throws oauth4webapi's errors otherwise. */
export async function expectSuccess(response: Response): Promise<Members | null> {
  const members = parseObject(await response.clone().text());
  if (typeof members?.['error'] === 'string')
    throw new oauth.ResponseBodyError('an error', { cause: members as oauth.OAuth2Error, response });
  if (!response.ok) throw unexpected(response);
  return members;
}

/** The members of a standard response. Throws as {@link expectSuccess} does, also for a response without some of `needed`. */
export async function readStandardAnswer<Needed extends string>(
  response: Response,
  needed: readonly Needed[],
): Promise<Members & Readonly<Record<Needed, string>>> {
  const members = await expectSuccess(response);
  if (members === null) throw unexpected(response);
  const missing = needed.find((name) => typeof members[name] !== 'string');
  if (missing !== undefined) throw new oauth.OperationProcessingError(`"${missing}" is missing`);
  return members as Members & Readonly<Record<Needed, string>>;
}

function unexpected(response: Response): Error {
  return new oauth.OperationProcessingError('unexpected answer', { cause: response });
}

/** The members of a JSON object, perhaps alone in a list; null for any other text. */
function parseSingle(text: string): Members | null {
  const trimmed = text.trim();
  const isList = trimmed.startsWith('[') && trimmed.endsWith(']');
  return parseObject(isList ? trimmed.slice(1, -1) : trimmed);
}

/** The parameters of a body in the form encoding; null for any other body, and if a parameter is repeated. */
function parseForm({ headers }: Response, text: string): Members | null {
  const type = headers.get('content-type') ?? '';
  // Some send it as plain text. A web page begins with "<".
  if (!type.startsWith('application/x-www-form-urlencoded') && !/^(?:access_token|error)=/.test(text))
    return null;
  const parameters = new URLSearchParams(text);
  const isRepeated = new Set(parameters.keys()).size !== parameters.size;
  return isRepeated ? null : Object.fromEntries(parameters);
}

/** A list of one is its value; null and an empty list are none. */
function toSingle(value: unknown): unknown {
  const single = Array.isArray(value) && value.length < 2 ? (value[0] as unknown) : value;
  return single ?? undefined;
}

function toText(value: unknown): string | undefined {
  const single = toSingle(value);
  // A rounded number could stand for several texts.
  const isReadable = typeof single === 'boolean' || Number.isSafeInteger(single);
  const text = isReadable ? String(single) : single;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** A number of seconds, or a text for it. */
function toNumber(value: unknown): number | undefined {
  const single = toSingle(value);
  const isText = typeof single === 'string' && single.trim() !== '';
  const number = isText ? Number(single) : single;
  return typeof number === 'number' && number >= 0 && number < Infinity ? number : undefined;
}

/** Names may contain commas (RFC 6749 section 3.3), so these only separate scopes in a text without any space. An empty one grants none. */
function toScope(scope: unknown): string | undefined {
  if (Array.isArray(scope) && scope.every((name) => typeof name === 'string')) return scope.join(' ');
  if (typeof scope !== 'string') return undefined;
  return scope.includes(' ') ? scope : scope.replaceAll(',', ' ');
}

/** The form of an error code, and not of a sentence or a number. */
const codePattern = /^[a-z]\w*$/i;

/** Names of HTTP statuses, which frameworks write where OAuth has its code, as Spring Boot and NestJS do for a wrong address. */
const statusNames = /^(?:bad request|un(?=[a-z])|forbidden\b|(?:method )?not\b)[a-z ]*$/i;

/** The object in which an API describes its error; empty if there is none. */
function findInner({ error, errors }: Members): Members {
  return [toSingle(error), toSingle(errors)].find(isObject) ?? {};
}

/**
 * The error code that a body names; undefined if it names none. It is `error` (RFC 6749 section 5.2), or in an object of that name
 * (APIs of Meta and Google), or `errorCode` (Okta: https://github.com/okta/okta-idx-java/issues/500), or `error_code` (Supabase:
 * https://github.com/supabase/auth/issues/2829), or in a list `errors` (Fitbit:
 * https://dev.fitbit.com/build/reference/web-api/troubleshooting-guide/error-messages/), or `__type` (Cognito). `message`
 * (Twitch: https://github.com/twitchdev/issues/issues/975), `code` and `type` (RFC 9457: https://github.com/jentic/jentic-one/pull/1339)
 * may be anything, so they count only if they're a code of OAuth. Meta marks what passes.
 */
export function readError(members: Members): string | undefined {
  const {
    error,
    errorCode,
    error_code = errorCode,
    errors,
    message,
    type: problem,
    code: own,
    __type,
  } = members;
  const named = toSingle(error);
  if (typeof named === 'string' && named !== '' && !statusNames.test(named)) return toStandardCode(named);
  const inner = findInner(members);
  if (inner['is_transient'] === true) return 'temporarily_unavailable';
  const { code, errorType, type } = inner;
  const found = [error_code, toSingle(errors), code, errorType, type, __type].find(
    (one): one is string => typeof one === 'string' && codePattern.test(one),
  );
  if (found !== undefined) return toStandardCode(found);
  const texts = [message, own, problem].map(toText).filter((one) => one !== undefined);
  return texts.map(toStandardCode).find(isListed);
}

/** The error code of a challenge (RFC 6750 section 3). */
function readChallengedError({ headers }: Response) {
  return /\berror="?(\w+)/.exec(headers.get('www-authenticate') ?? '')?.[1];
}

/** A signed or encrypted response (RFC 7519), perhaps in quotation marks; null for any other text. */
function toJwt(text: string): string | null {
  const jwt = text.trim().replaceAll('"', '');
  return /^[\w.-]+$/.test(jwt) && [3, 5].includes(jwt.split('.').length) ? jwt : null;
}

/**
 * Reads a response of UserInfo (OpenID Connect Core 5.3.2): its claims, or the JWT that it is, whatever its content type. Throws
 * oauth4webapi's errors for any other response, and for an error without a user.
 */
export async function readUserInfo(response: Response): Promise<Members | string> {
  const text = await response.clone().text();
  const members = parseSingle(text);
  const { sub, ...others } = members ?? {};
  const challenged = response.ok ? undefined : readChallengedError(response);
  const error = sub === undefined ? (readError(others) ?? challenged) : undefined;
  if (error !== undefined) throw new oauth.ResponseBodyError('an error', { cause: { error }, response });
  const answer = members !== null ? { ...toClaims(members), sub: toText(sub) } : toJwt(text);
  if (!response.ok || answer === null) throw unexpected(response);
  return answer;
}
