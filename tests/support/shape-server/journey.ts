// A whole session at a shape server, with the extension's own protocol code: sign-in, another account, renewal, silent
// sign-in, sign-out.

import type { Provider } from '../../../src/config/provider.ts';
import { askSilently, toApiParameters, type AuthorizationOptions } from '../../../src/oidc/authorize.ts';
import type { Metadata } from '../../../src/oidc/discover.ts';
import { discover } from '../discover.ts';
import { createEndSessionRequest, readEndSessionResponse, revokeToken } from '../../../src/oidc/end.ts';
import { codeFlow } from '../../../src/oidc/code-flow.ts';
import { requestUserInfo } from '../../../src/oidc/resource.ts';
import { createProviderClient, type ProviderClient } from '../../../src/oidc/http.ts';
import { renewTokens, type TokenAnswer } from '../../../src/oidc/renew.ts';
import { isInteractionRequired } from '../../../src/oidc/problems.ts';
import { ProblemError } from '../../../src/session/problem.ts';
import { toLoginHint } from '../../../src/session/view.ts';
import { publishedKeys } from '../keys.ts';
import { finishSignIn, forTokens, type RedeemedTokens } from '../sign-in.ts';
import type { Outcome, Shape } from './shape.ts';
import { chromeOrigin, createShapeServer, redirectUri, type ShapeServer } from './shape-server.ts';

interface Scene {
  readonly server: ShapeServer;
  readonly client: ProviderClient;
  readonly metadata: Metadata;
}

/** Takes every step, until a sign-in fails, and returns how each ended. `origin` is the one that the browser sends; null for none. */
export async function takeJourney(
  shape: Shape,
  provider: Provider,
  origin: string | null = chromeOrigin,
): Promise<Partial<Outcome>> {
  const scene = await open(shape, provider, origin).catch(toCode);
  if (typeof scene === 'string') return { signIn: scene };
  const { metadata } = scene;
  const signedIn = await signIn(scene).catch(toCode);
  if (signedIn === null || typeof signedIn === 'string') return { signIn: signedIn ?? 'page shown' };
  return {
    signIn: 'signed-in',
    userInfo: await readUserInfo(scene, signedIn),
    anotherAccount: await chooseAnother(scene, signedIn),
    ...(await renewTwice(scene, signedIn)),
    silentSignIn: await signInSilently(scene, signedIn),
    revocation: await revoke(scene, signedIn),
    logout: logOut(scene, signedIn),
    leftOut: metadata.leftOutEndpoints ?? [],
    refreshTokenSeconds: provider.refreshTokenSeconds,
  };
}

/**
 * The purposes of a session's tokens: that of the sign-in, that of the first of "apis", and then a renewed one of the
 * sign-in. If a token doesn't come, the code of the problem or the outcome of the request stands in its place.
 */
export async function takeTokens(shape: Shape, provider: Provider): Promise<readonly string[]> {
  const scene = await open(shape, provider, chromeOrigin);
  const signedIn = await signIn(scene).catch(toCode);
  if (signedIn === null || typeof signedIn === 'string') return [signedIn ?? 'page shown'];
  const { accessToken, refreshToken } = signedIn.tokens;
  const [api] = provider.apis;
  if (refreshToken === null || api === undefined) throw new Error('There is no refresh token, or no API.');
  const toApi = (token: string) => scene.server.apiOf(token) ?? 'unknown token';
  const toApiOf = (renewal: TokenAnswer | string) => {
    if (typeof renewal === 'string') return renewal;
    return renewal.outcome === 'renewed' ? toApi(renewal.tokens.accessToken) : renewal.outcome;
  };
  const first = await renew(scene, signedIn, refreshToken, toApiParameters(api, '')).catch(toCode);
  const next = typeof first !== 'string' && first.outcome === 'renewed' ? first.tokens.refreshToken : null;
  const second = await renew(scene, signedIn, next ?? refreshToken).catch(toCode);
  return [toApi(accessToken), toApiOf(first), toApiOf(second)];
}

async function open(shape: Shape, provider: Provider, origin: string | null): Promise<Scene> {
  const server = createShapeServer(shape, origin);
  const client = createProviderClient(server.world, provider);
  return { server, client, metadata: await discover(client) };
}

/** Returns null if the provider shows its page instead of answering. */
async function signIn(
  { server, client, metadata }: Scene,
  options: AuthorizationOptions = {},
): Promise<RedeemedTokens | null> {
  const request = await codeFlow.createRequest(client, metadata, redirectUri, options);
  const responseUrl = server.open(request.url);
  if (responseUrl === null) return null;
  const keys = publishedKeys(client, metadata);
  const signedIn = finishSignIn(codeFlow, forTokens(client), metadata, keys, request, responseUrl, null);
  return signedIn as Promise<RedeemedTokens>;
}

async function chooseAnother(scene: Scene, { claims }: RedeemedTokens): Promise<string> {
  const result = await signIn(scene, { prompt: 'select_account' }).catch(toCode);
  if (result === null) return 'page shown';
  if (typeof result === 'string') return result;
  return result.claims.sub === claims.sub ? 'same account' : 'signed-in';
}

async function signInSilently(scene: Scene, { profile, tokens }: RedeemedTokens): Promise<string> {
  const hints = { loginHint: toLoginHint(profile), idTokenHint: tokens.idToken ?? undefined };
  try {
    const signedIn = await askSilently(hints, (options) => signIn(scene, { ...options, prompt: 'none' }));
    return signedIn === null ? 'page shown' : 'signed-in';
  } catch (error) {
    return isInteractionRequired(error) ? 'user needed' : toCode(error);
  }
}

async function readUserInfo(
  { client, metadata }: Scene,
  { tokens, claims }: RedeemedTokens,
): Promise<string> {
  if (metadata.userinfo_endpoint === undefined) return 'none';
  const profile = await requestUserInfo(client, metadata, tokens, claims).catch(toCode);
  return typeof profile === 'string' ? profile : 'read';
}

async function renewTwice(
  scene: Scene,
  signedIn: RedeemedTokens,
): Promise<Pick<Outcome, 'renewal' | 'spentToken'>> {
  const { refreshToken } = signedIn.tokens;
  if (refreshToken === null) return { renewal: 'none', spentToken: 'none' };
  const renewOnce = async () => {
    const renewal = await renew(scene, signedIn, refreshToken).catch(toCode);
    return typeof renewal === 'string' ? renewal : renewal.outcome;
  };
  return { renewal: await renewOnce(), spentToken: await renewOnce() };
}

function renew(
  { client, metadata }: Scene,
  { tokens, originalClaims, claims }: RedeemedTokens,
  refreshToken: string,
  parameters?: Readonly<Record<string, string>>,
): Promise<TokenAnswer> {
  const authentication = { subject: claims.sub, claims: originalClaims };
  const keys = publishedKeys(client, metadata);
  return renewTokens(
    forTokens(client),
    metadata,
    keys,
    { ...tokens, refreshToken },
    authentication,
    null,
    parameters,
  );
}

async function revoke({ client, metadata }: Scene, { tokens }: RedeemedTokens): Promise<string> {
  const { refreshToken } = tokens;
  const { clientId } = client.provider;
  // An access token that came without a refresh token is revoked itself.
  const revoked =
    refreshToken === null
      ? revokeToken(client, metadata, tokens.accessToken, clientId, 'access_token')
      : revokeToken(client, metadata, refreshToken);
  return revoked.catch(toCode);
}

function logOut({ server, client, metadata }: Scene, { tokens }: RedeemedTokens): string {
  const request = createEndSessionRequest(client, metadata, { idToken: tokens.idToken, redirectUri });
  if (request === null) return 'none';
  const responseUrl = server.open(request.url);
  return responseUrl === null ? 'unconfirmed' : readEndSessionResponse(request, redirectUri, responseUrl);
}

function toCode(error: unknown): string {
  if (error instanceof ProblemError) return error.code;
  throw error;
}
