// A provider in memory, and two APIs behind it. The second API only accepts tokens of its own. Each code and token is unique,
// and the provider counts what becomes of it. There are several kinds of providers.

import { apiOrigin, payOrigin } from '../scripted-api.ts';
import { createSigningKey, issuer, readForm, signIdToken, toMetadata } from '../scripted-provider.ts';

export type User = 'ada' | 'grace';

/**
 * How a provider treats refresh tokens. One that `rotates` them ends the grant when a spent token comes again (RFC 9700 section
 * 4.14.2), and revokes all tokens of the user with one of them, as RFC 7009 section 2.1 allows. With a `grace period`, a spent
 * token works for a while, as at Auth0 and Okta; one kind of these is configured with a lifetime of the refresh token, so the worker
 * signs in silently ahead of its end. Others answer a renewal without a refresh token, as Google does, or issue none. Except for
 * the first kind, a revocation ends only the token that was sent.
 */
export const providerKinds = [
  'rotates',
  'rotates with a grace period',
  'ends refresh tokens',
  'keeps',
  'issues none',
] as const;
export type ProviderKind = (typeof providerKinds)[number];

/**
 * How the provider answers: as always; with 503 if a request carries a token or a code, and one that `keeps` refresh tokens asks for a
 * second; with less scope than was asked for; with a refusal of each request for the other API's token; or with nothing but a
 * refresh token.
 */
export type Mood = 'well' | 'busy' | 'grants less' | 'refuses the API' | 'sends a refresh token alone';

/** A refresh token, or an access token that came without one. */
interface Issued {
  readonly user: User;
  /** `spent`: it was exchanged for the next one, or the next one has replaced it. */
  status: 'live' | 'spent' | 'revoked';
  spentAtMs: number;
  /** When it ends by itself. */
  readonly expiresAtMs: number;
  /** Whether a worker has got it and answers for it. `lost`: its answer was lost, or its worker died before it was stored. */
  arrival: 'on its way' | 'received' | 'lost';
}

interface DeviceCode {
  readonly userCode: string;
  readonly endsAtMs: number;
  answer: User | 'pending' | 'denied' | 'used';
}

/** The scopes that the user has agreed to. */
interface Agreed {
  readonly user: User;
  readonly nonce: string;
  /** How the user has signed in; null if the request did not say how. */
  readonly acr: string | null;
}

/** The `resource` of a token for the API at {@link payOrigin}. */
export const payResource = 'urn:pay';

const accessSeconds = 300;
/** Longer, because an access token that ends in five minutes isn't worth a revocation. */
const loneAccessSeconds = 1_800;
const graceMs = 30_000;
/** After so long without a failure, the pauses start over. */
const restMs = 5 * 60_000;
const codeSeconds = 120;
/** The pause between two requests for the tokens of a code. */
export const codePauseSeconds = 5;

const signingKey = await createSigningKey();

const toWholeMetadata = (of: string) => ({
  ...toMetadata(of),
  device_authorization_endpoint: `${of}/device`,
  end_session_endpoint: `${of}/end-session`,
});

export class CountingProvider {
  /** The user who is signed in at the provider in this browser; null for no one. */
  user: User | null = null;
  mood: Mood = 'well';
  /** The tokens, with where they were sent again too soon after an answer that failed, though no one signed in meanwhile. */
  readonly hasty = new Set<string>();
  /** Whether the next ID token was issued a day ago. */
  isNextTokenOld = false;
  readonly issued = new Map<string, Issued>();
  /** The spent refresh tokens that came again. */
  readonly reused = new Set<string>();
  /** The access tokens that came to the wrong API, or for another user's request. */
  readonly strayed = new Set<string>();
  private latestMs = 0;
  /** How often each request has failed at the provider, by its token, and when last. */
  private readonly failed = new Map<string, { readonly times: number; readonly atMs: number }>();
  /** How many answers brought tokens. */
  private answers = 0;
  private readonly codes = new Map<string, Agreed>();
  private readonly deviceCodes = new Map<string, DeviceCode>();
  /** The access tokens that are accepted, with the origin of their API and their end. */
  private readonly accepted = new Map<string, { readonly origin: string; readonly expiresAtMs: number }>();
  readonly kind: ProviderKind;
  private readonly nowMs: () => number;

  constructor(kind: ProviderKind, nowMs: () => number) {
    this.kind = kind;
    this.nowMs = nowMs;
  }

  /** Answers a request of the worker. */
  async fetch(url: string, init: RequestInit): Promise<Response> {
    this.latestMs = Math.max(this.latestMs, this.nowMs());
    const { origin, pathname, searchParams } = new URL(url);
    const accessToken = new Headers(init.headers).get('authorization')?.replace(/^\w+ /, '') ?? '';
    const sent = readForm(init);
    if (origin !== new URL(issuer).origin) {
      if (pathname === '/.well-known/openid-configuration') return Response.json(toWholeMetadata(origin));
      const of = this.accepted.get(accessToken)?.origin ?? origin;
      const isOthers = searchParams.has('as') && accessToken.split('-')[1] !== searchParams.get('as');
      if (of !== origin || isOthers) this.strayed.add(accessToken);
      return new Response(null, { status: this.accepts(accessToken, origin) ? 200 : 401 });
    }
    if (this.mood === 'busy' && ['/token', '/userinfo', '/revoke'].includes(pathname)) {
      const token = sent.get('token') ?? sent.get('refresh_token');
      if (token !== null) this.noteFailure(`${token} at ${pathname}`);
      return new Response('busy', {
        status: 503,
        headers: this.kind === 'keeps' ? { 'retry-after': '1' } : {},
      });
    }
    switch (pathname) {
      case '/.well-known/openid-configuration':
        return Response.json(toWholeMetadata(issuer));
      case '/keys':
        return Response.json({ keys: [signingKey.jwk] });
      case '/token':
        return this.answerToken(sent);
      case '/device':
        return this.issueDeviceCode();
      case '/userinfo':
        // The picture, which the ID token lacks.
        return Response.json({ sub: accessToken.split('-')[1], picture: 'https://pictures.example/1.png' });
      case '/revoke':
        this.revoke(sent.get('token') ?? '');
        return new Response(null);
      default:
        return new Response('not found', { status: 404 });
    }
  }

  /** Where `url` leads after `user` has agreed, or has confirmed the end of the session. */
  approve(url: string, user: User): string {
    const sent = new URL(url).searchParams;
    const end = sent.get('post_logout_redirect_uri');
    const redirect = new URL(end ?? sent.get('redirect_uri') ?? '');
    redirect.searchParams.set('state', sent.get('state') ?? '');
    this.user = end === null ? user : null;
    if (end !== null) return redirect.href;
    const code = `code-${sent.get('nonce')}`;
    this.codes.set(code, { user, nonce: sent.get('nonce') ?? '', acr: sent.get('acr_values') });
    redirect.searchParams.set('code', code);
    redirect.searchParams.set('iss', issuer);
    return redirect.href;
  }

  /** A user enters a user code, and agrees; null for a user who does not. */
  enterCode(userCode: string, user: User | null): void {
    const code = [...this.deviceCodes.values()].find((one) => one.userCode === userCode);
    if (code?.answer === 'pending') code.answer = user ?? 'denied';
  }

  /** Whether the API at `origin` accepts this access token. */
  accepts(token: string | null, origin: string): boolean {
    const found = this.accepted.get(token ?? '');
    return found?.origin === origin && found.expiresAtMs > this.nowMs();
  }

  /** The APIs refuse the access tokens that have been issued so far. */
  refuseAccessTokens(): void {
    this.accepted.clear();
  }

  /** Revokes a token, and the others of its user if the provider does so. */
  revoke(token: string): void {
    if (this.kind === 'rotates') this.endGrants(this.ownerOf(token));
    const one = this.issued.get(token);
    if (one?.status === 'live') one.status = 'revoked';
  }

  /** Ends all tokens of a user. */
  endGrants(user: User | null): void {
    for (const one of this.issued.values()) {
      if (one.user === user && one.status === 'live') one.status = 'revoked';
    }
  }

  /** A session has replaced a token that came without a refresh token. */
  replace(token: string): void {
    const one = this.issued.get(token);
    if (one?.status === 'live' && this.kind === 'issues none') one.status = 'spent';
  }

  ownerOf(token: string | null): User | null {
    return this.issued.get(token ?? '')?.user ?? null;
  }

  isLive(token: string): boolean {
    return this.issued.get(token)?.status === 'live';
  }

  /**
   * The live tokens that a worker has received and lost track of: they aren't among `kept`, nor is another token that ends with
   * them. A token that ends by itself in a few minutes doesn't count.
   */
  findLost(kept: readonly string[]): string[] {
    const owners = this.kind === 'rotates' ? kept.map((token) => this.ownerOf(token)) : [];
    return this.findLive().filter((token) => !kept.includes(token) && !owners.includes(this.ownerOf(token)));
  }

  /** The live tokens that a worker has received, without those that end by themselves in a few minutes. */
  findLive(): string[] {
    // A clock that's set back brings no ended token back.
    this.latestMs = Math.max(this.latestMs, this.nowMs());
    const soonMs = this.latestMs + 6 * 60_000;
    return [...this.issued].flatMap(([token, { status, arrival, expiresAtMs }]) =>
      status === 'live' && arrival === 'received' && expiresAtMs > soonMs ? [token] : [],
    );
  }

  /**
   * A token whose request has failed is sent again after a second, then after twice as long each time, until it rests. One that is
   * half as patient counts too: the clock may jump between the note of a request and the request.
   */
  private noteFailure(request: string): void {
    const { times, atMs } = this.failed.get(request) ?? { times: 0, atMs: -Infinity };
    const sinceMs = this.nowMs() - atMs;
    const leastMs = this.kind === 'keeps' ? 1_000 : Math.min(1_000 * 2 ** (times - 2), 60_000);
    if (sinceMs >= 0 && sinceMs < leastMs) this.hasty.add(request);
    const isRested = sinceMs >= leastMs + restMs;
    this.failed.set(request, { times: isRested ? 1 : times + 1, atMs: this.nowMs() });
  }

  private async answerToken(sent: URLSearchParams): Promise<Response> {
    switch (sent.get('grant_type')) {
      case 'refresh_token':
        return this.renew(sent.get('refresh_token') ?? '', sent.get('resource'));
      case 'urn:ietf:params:oauth:grant-type:device_code':
        return this.redeemDeviceCode(sent.get('device_code') ?? '');
      default: {
        const name = sent.get('code') ?? '';
        const code = this.codes.get(name);
        this.codes.delete(name);
        return code === undefined ? refuse('invalid_grant') : this.issue(code.user, null, code);
      }
    }
  }

  private async renew(token: string, resource: string | null): Promise<Response> {
    const found = this.issued.get(token);
    if (found === undefined || found.status === 'revoked') return refuse('invalid_grant');
    if (this.mood === 'refuses the API' && resource !== null) return refuse('invalid_target');
    if (this.kind === 'keeps') return this.issue(found.user, resource, {}, 'no refresh token');
    const isInGrace = this.kind !== 'rotates' && Math.abs(this.nowMs() - found.spentAtMs) < graceMs;
    if (found.status === 'live' || isInGrace) {
      if (found.status === 'live') Object.assign(found, { status: 'spent', spentAtMs: this.nowMs() });
      if (this.mood !== 'sends a refresh token alone' || this.kind === 'issues none')
        return this.issue(found.user, resource);
      const next = `refresh-${found.user}-${(this.answers += 1)}`;
      this.issued.set(next, { ...found, status: 'live', arrival: 'on its way' });
      this.noteFailure('a renewal');
      return Response.json({ refresh_token: next });
    }
    this.reused.add(token);
    this.endGrants(found.user);
    return refuse('invalid_grant');
  }

  private issueDeviceCode(): Response {
    const number = this.deviceCodes.size + 1;
    const endsAtMs = this.nowMs() + codeSeconds * 1_000;
    this.deviceCodes.set(`device-code-${number}`, {
      userCode: `CODE-${number}`,
      endsAtMs,
      answer: 'pending',
    });
    return Response.json({
      device_code: `device-code-${number}`,
      user_code: `CODE-${number}`,
      verification_uri: `${issuer}/device-page`,
      expires_in: codeSeconds,
      interval: codePauseSeconds,
    });
  }

  private async redeemDeviceCode(name: string): Promise<Response> {
    const code = this.deviceCodes.get(name);
    if (code === undefined || code.answer === 'used') return refuse('invalid_grant');
    if (code.answer === 'denied') return refuse('access_denied');
    if (this.nowMs() >= code.endsAtMs) return refuse('expired_token');
    if (code.answer === 'pending') return refuse('authorization_pending');
    const user = code.answer;
    code.answer = 'used';
    return this.issue(user, null);
  }

  private async issue(
    user: User,
    resource: string | null,
    { nonce, acr }: Partial<Agreed> = {},
    refresh: 'refresh token' | 'no refresh token' = 'refresh token',
  ): Promise<Response> {
    this.answers += 1;
    const number = this.answers;
    // A revocation that waits for the end of the new session starts over then.
    this.failed.clear();
    const isAlone = this.kind === 'issues none';
    const lifeSeconds = isAlone ? loneAccessSeconds : accessSeconds;
    const issuedAtSeconds = Math.floor(this.nowMs() / 1_000) - (this.isNextTokenOld ? 24 * 60 * 60 : 0);
    this.isNextTokenOld = false;
    const [access, refreshed] = [`access-${user}-${number}`, `refresh-${user}-${number}`];
    const origin = resource === payResource ? payOrigin : apiOrigin;
    this.accepted.set(access, { origin, expiresAtMs: this.nowMs() + lifeSeconds * 1_000 });
    const token = isAlone ? access : refresh === 'refresh token' ? refreshed : null;
    if (token !== null) {
      const expiresAtMs = isAlone ? this.nowMs() + lifeSeconds * 1_000 : Infinity;
      this.issued.set(token, { user, status: 'live', spentAtMs: 0, expiresAtMs, arrival: 'on its way' });
    }
    return Response.json({
      access_token: access,
      ...(this.mood === 'grants less' && { scope: 'openid' }),
      ...(token === refreshed && { refresh_token: refreshed }),
      token_type: 'Bearer',
      expires_in: lifeSeconds,
      id_token: await signIdToken(
        {
          iss: issuer,
          sub: user,
          aud: 'client',
          iat: issuedAtSeconds,
          exp: issuedAtSeconds + lifeSeconds,
          nonce,
          acr: acr ?? undefined,
          name: user,
          email: `${user}@example.com`,
        },
        signingKey,
      ),
    });
  }
}

function refuse(error: string): Response {
  return Response.json({ error }, { status: 400 });
}
