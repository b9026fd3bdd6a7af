// A provider in memory that has a given shape. It is stricter than the specification asks: it refuses each request that
// the provider, as far as is known, would refuse.

import { createHash } from 'node:crypto';
import { createSigningKey, readForm, signIdToken, toWorld } from '../scripted-provider.ts';
import type { Shape } from './shape.ts';

export const clientId = 'client-1';
export const redirectUri = 'https://abcdefghijklmnopabcdefghijklmnop.chromiumapp.org/shape';
export const chromeOrigin = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop';

const signingKey = await createSigningKey('key-1', 'RS256');

const name = 'Ada Lovelace';

export type ShapeServer = ReturnType<typeof createShapeServer>;

interface Grant {
  readonly sent: URLSearchParams;
  /** Who signed in. */
  readonly sub: string;
  status: 'usable' | 'spent';
}

/** Starts a server. The browser of its world sends `origin` with each POST. */
export function createShapeServer(shape: Shape, origin: string | null = chromeOrigin) {
  const { document } = shape;
  const discoveryUrl =
    shape.discoveryUrl ??
    shape.team.discoveryUrl ??
    `${document.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const codes = new Map<string, Grant>();
  const refreshTokens = new Map<string, Grant>();
  const accessTokens = new Map<string, { readonly sub: string; readonly api: string }>();
  const subject = { name, email: 'ada@example.com', email_verified: true };
  /** Who has a session; null if there is none. */
  let session: 'ada' | 'asa' | null = null;
  let count = 0;

  const issue = (kind: string) => `${kind}-${(count += 1)}`;

  const deny = (error: string) =>
    Response.json({ error, error_description: 'The shape server refuses.' }, { status: 400 });

  async function answerWithTokens(
    { sent, sub }: Grant,
    kind: 'first' | 'renewed',
    api: string,
  ): Promise<Response> {
    const nowSeconds = Math.floor(Date.now() / 1000);
    const claims = {
      iss: shape.tokenIssuer ?? document.issuer,
      sub,
      aud: clientId,
      iat: nowSeconds,
      exp: nowSeconds + 300,
      nonce: sent.get('nonce') ?? undefined,
      ...subject,
      ...(typeof shape.claims === 'function' ? shape.claims(sent) : shape.claims),
      ...(kind === 'renewed' && shape.renewedClaims),
    };
    const idToken = await signIdToken(claims, signingKey);
    const accessToken = issue('access');
    accessTokens.set(accessToken, { sub, api });
    const refreshToken = issue('refresh');
    const isKept = kind === 'renewed' && shape.keepsRefreshTokens === true;
    const isOffline = !isKept && (shape.isOffline?.(sent) ?? scopesOf(sent).includes('offline_access'));
    if (isOffline) refreshTokens.set(refreshToken, { sent, sub, status: 'usable' });
    const answer: Readonly<Record<string, unknown>> = {
      ...((shape.grantsAccess?.(sent) ?? true) && { access_token: accessToken }),
      token_type: 'Bearer',
      expires_in: 3600,
      id_token: idToken,
      ...(isOffline && { refresh_token: refreshToken }),
      ...shape.response,
      ...(kind === 'renewed' && shape.renewedResponse),
    };
    const toText = ([member, value]: [string, unknown]) => [member, String(value)];
    return Response.json(
      shape.writesTexts === true ? Object.fromEntries(Object.entries(answer).map(toText)) : answer,
    );
  }

  function answerGrant(form: URLSearchParams, grant: Grant, kind: 'first' | 'renewed') {
    const purpose = shape.purpose?.(form, grant.sent) ?? { api: '' };
    if ('error' in purpose) return deny(purpose.error);
    const isReusable = shape.keepsRefreshTokens === true || shape.reusable === true;
    if (kind === 'first' || !isReusable) grant.status = 'spent';
    return answerWithTokens(grant, kind, purpose.api);
  }

  function answerToken(form: URLSearchParams): Response | Promise<Response> {
    if (form.has('client_secret') || form.get('client_id') !== clientId) return deny('invalid_client');
    if (shape.origin === 'required' && origin === null) return deny('invalid_request');
    if (form.get('grant_type') === 'refresh_token') {
      const grant = refreshTokens.get(form.get('refresh_token') ?? '');
      if (grant?.status === 'usable') return answerGrant(form, grant, 'renewed');
      const { status, body } = shape.refusal ?? { status: 400, body: { error: 'invalid_grant' } };
      return Response.json(body, { status });
    }
    const grant = codes.get(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight =
      grant?.status === 'usable' &&
      grant.sent.get('code_challenge') === challenge &&
      form.get('redirect_uri') === grant.sent.get('redirect_uri');
    return grant === undefined || !isRight ? deny('invalid_grant') : answerGrant(form, grant, 'first');
  }

  function answerUserInfo(headers: Headers): Response {
    const token = accessTokens.get(headers.get('authorization')?.replace('Bearer ', '') ?? '');
    return token === undefined
      ? new Response(null, { status: 401 })
      : Response.json({ sub: token.sub, ...subject, ...shape.userInfo });
  }

  const routes: Record<string, (form: URLSearchParams, headers: Headers) => Response | Promise<Response>> = {
    [asRequested(discoveryUrl)]: () => Response.json(document),
    [asRequested(document.jwks_uri)]: () =>
      Response.json({ keys: [{ ...signingKey.jwk, ...shape.keyMembers }] }),
    [asRequested(document.token_endpoint)]: answerToken,
    [asRequested(document.userinfo_endpoint)]: (_form, headers) => answerUserInfo(headers),
    [asRequested(document.revocation_endpoint ?? shape.unlistedRevocation)]: (form) => {
      refreshTokens.delete(form.get('token') ?? '');
      return new Response(null);
    },
  };

  function authorize(sent: URLSearchParams): string | null {
    const back = new URL(redirectUri);
    back.searchParams.set('state', sent.get('state') ?? '');
    const announced = document.authorization_response_iss_parameter_supported === true;
    const issuer = shape.redirectIssuer ?? (announced ? document.issuer : null);
    if (issuer !== null) back.searchParams.set('iss', issuer);
    const prompts = sent.get('prompt')?.split(' ') ?? [];
    const error =
      findError(shape, sent, prompts) ??
      (prompts.includes('none') && (session === null || isForOther(shape, sent)) ? 'login_required' : null);
    if (prompts.includes('none') && shape.silent === 'ignored') return null;
    if (error === null) {
      if (session === null) session = 'ada';
      // The user takes another account wherever the provider asks.
      else if (prompts.some((prompt) => asksWho.includes(prompt) && knows(shape, prompt))) session = 'asa';
      const code = issue('code');
      codes.set(code, { sent, sub: session, status: 'usable' });
      back.searchParams.set('code', code);
    } else back.searchParams.set('error', error);
    return `${back.href}${shape.fragment ?? ''}`;
  }

  function endSession(sent: URLSearchParams): string | null {
    const { required, repeatsState } = shape.logout ?? {
      required: ['post_logout_redirect_uri'],
      repeatsState: true,
    };
    if (required.some((parameter) => !sent.has(parameter))) return null;
    const back = new URL(
      required.map((parameter) => sent.get(parameter) ?? '').find((value) => value === redirectUri) ?? '',
    );
    const state = sent.get('state');
    if (repeatsState && state !== null) back.searchParams.set('state', state);
    session = null;
    return back.href;
  }

  const world = toWorld(async (url, init) => {
    if (init.credentials !== 'omit') throw new Error('The request carries cookies.');
    if (init.method === 'POST' && shape.origin === 'listed' && origin !== chromeOrigin) {
      const { originRefusal: refusal } = shape;
      if (refusal === undefined) return new Response('Invalid origin', { status: 403 });
      return Response.json({ error: refusal.error }, { status: refusal.status });
    }
    const answer = routes[asRequested(url)]?.(readForm(init), new Headers(init.headers));
    return (await answer) ?? new Response('not found', { status: 404 });
  });
  return {
    world,
    /** Opens a page in the sign-in window. Returns where it ends, or null if it stays on the provider's page. */
    open(url: string): string | null {
      const { searchParams } = new URL(url);
      const page = asRequested(url).split('?')[0];
      if (page === asRequested(document.authorization_endpoint)) return authorize(searchParams);
      if (page === asRequested(document.end_session_endpoint)) return endSession(searchParams);
      throw new Error(`There is no page at ${url}.`);
    },
    /** The API that an access token is for, "" for that of the sign-in; null if there is no such token. */
    apiOf: (accessToken: string) => accessTokens.get(accessToken)?.api ?? null,
  };
}

/** The address as a browser requests it, which leaves ":443" out. Empty if there is none. */
function asRequested(url: string | undefined): string {
  return url === undefined ? '' : new URL(url).href;
}

/** Whether the provider takes the hints for those of another user than the one with a session. */
function isForOther({ loginHints, refusesIdTokenHint }: Shape, sent: URLSearchParams): boolean {
  const isUnknown = loginHints?.includes(sent.get('login_hint')) === false;
  return isUnknown || (refusesIdTokenHint === true && sent.has('id_token_hint'));
}

function findError(shape: Shape, sent: URLSearchParams, prompts: readonly string[]): string | null {
  if (sent.get('client_id') !== clientId || sent.get('redirect_uri') !== redirectUri)
    return 'invalid_request';
  if (sent.get('response_type') !== 'code') return 'unsupported_response_type';
  if (sent.get('code_challenge_method') !== 'S256') return 'invalid_request';
  if (scopesOf(sent).some((scope) => shape.scopes?.includes(scope) === false)) return 'invalid_scope';
  const asksConsent = shape.offlineConsent === true && scopesOf(sent).includes('offline_access');
  if (asksConsent && prompts.includes('none')) return 'consent_required';
  if (knows(shape, '*')) return null;
  return prompts.every((prompt) => knows(shape, prompt)) ? null : 'invalid_request';
}

const asksWho = ['login', 'select_account'];

function knows(shape: Shape, prompt: string): boolean {
  return (shape.prompts ?? ['none', 'login', 'consent', 'select_account']).includes(prompt);
}

function scopesOf(sent: URLSearchParams): readonly string[] {
  return (sent.get('scope') ?? '').split(' ');
}
