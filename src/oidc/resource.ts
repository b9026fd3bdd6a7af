// Sends a request to a protected API with its token: as Bearer (RFC 6750), or with a DPoP proof of the key that the token is bound
// to (RFC 9449 section 7). Requests UserInfo in the same way.

import * as oauth from 'oauth4webapi';
import { withoutLongChallenge, type ProviderClient, isOtherSkew } from './http.ts';
import { toApiToken, toProfile, type ProfileClaims, type TokenSet } from './tokens.ts';
import type { Provider } from '../config/provider.ts';
import { safe, detail } from '../session/detail.ts';
import { ProblemError } from '../session/problem.ts';
import type { Profile } from '../session/view.ts';
import { readUserInfo } from './answer.ts';
import { toExpectedIssuer, type KeySource, verifySignature } from './id-token.ts';
import { requestKeys, type Metadata } from './discover.ts';
import { publicKeyAlgorithms, type Members, readClaims } from './jwt.ts';
import { rejectClaim, toProblemError } from './problems.ts';

/** The parts of the request that the proof covers, and the headers to extend. */
interface ResourceRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
}

/**
 * Adds the token to the headers and calls `send` with them; twice if the API demands a DPoP nonce. Returns
 * the response whatever its status, with the body unread. Throws what `send` throws.
 */
export async function requestResource(
  client: ProviderClient,
  tokens: TokenSet,
  dpopKey: CryptoKeyPair | null,
  { url, method, headers }: ResourceRequest,
  send: (headers: HeadersInit) => Promise<Response>,
): Promise<Response> {
  let last = null as Response | null;
  const sendAgain = async (withToken: HeadersInit): Promise<Response> => {
    // Frees the connection. A body that has failed has already freed it.
    last?.body?.cancel().catch(() => undefined);
    return (last = await send(withToken));
  };
  try {
    const response = await withProof(client, tokens.type === 'DPoP' ? dpopKey : null, (proof) =>
      oauth.protectedResourceRequest(toApiToken(tokens), method, new URL(url), headers, null, {
        ...client.options,
        ...proof,
        [oauth.customFetch]: async (_url, request) => toReadable(await sendAgain(request.headers)),
      }),
    );
    return last ?? response;
  } catch (error) {
    if (error instanceof oauth.WWWAuthenticateChallengeError) return error.response;
    throw error;
  }
}

/** Errors of the proof (RFC 9449 sections 7.1 and 9), and the demand for another authentication (RFC 9470 section 3). */
const otherErrors = /\b(?:invalid_dpop_proof|use_dpop_nonce|insufficient_user_authentication)\b/;

/** Whether an API's response refuses the token itself (RFC 6750 section 3.1). */
export function isTokenRefused({ status, headers }: Response): boolean {
  return status === 401 && !otherErrors.test(headers.get('www-authenticate') ?? '');
}

/** The response for oauth4webapi: itself, or only its head if the challenge is too long to be read. */
function toReadable(response: Response): Response {
  const headers = withoutLongChallenge(response.headers);
  if (headers === response.headers) return response;
  return new Response(null, { status: response.status, headers });
}

/**
 * Completes the profile with UserInfo (OpenID Connect Core 5.3). Rejects claims of another subject with
 * `response-rejected` (5.3.2), and a JWT that one of `keys` hasn't signed. Throws {@link ProblemError}.
 */
export async function requestUserInfo(
  client: ProviderClient,
  metadata: Metadata,
  tokens: TokenSet,
  claims: ProfileClaims,
  dpopKey: CryptoKeyPair | null = null,
  keys: KeySource = () => requestKeys(client, metadata),
): Promise<Profile> {
  try {
    const key = tokens.type === 'DPoP' ? dpopKey : null;
    const userInfo = await withProof(client, key, async (proof) => {
      const { oauthClient, exchange } = client;
      const options = { ...client.options, ...proof, [oauth.customFetch]: exchange.fetch };
      const token = toApiToken(tokens);
      const answer = await readUserInfo(await oauth.userInfoRequest(metadata, oauthClient, token, options));
      return typeof answer === 'string' ? readSignedUserInfo(client, metadata, keys, answer) : answer;
    });
    if (userInfo['sub'] !== claims.sub)
      throw new ProblemError('response-rejected', detail`UserInfo: "sub" is missing, or another subject`);
    // The signed ID token takes precedence; UserInfo only fills gaps. Each `email_verified` applies to the email that came with it.
    const signed = Object.fromEntries(
      Object.entries(claims).filter(([, value]) => value !== null && value !== ''),
    );
    const named = signed['email'] === undefined ? userInfo : signed;
    const isSame = named['email'] === userInfo['email'];
    const email_verified = named['email_verified'] ?? (isSame && userInfo['email_verified']);
    return toProfile(client.provider, { ...userInfo, ...signed, sub: claims.sub, email_verified }, tokens);
  } catch (error) {
    throw toProblemError(client, detail`UserInfo`, error);
  }
}

/**
 * The claims of a signed response (section 5.3.2), as Keycloak and BankID can send it. It need not name issuer and audience, because it
 * comes from the provider itself; if it does, they must be ours. Throws {@link ProblemError} `response-rejected`.
 */
async function readSignedUserInfo(
  { provider, world }: ProviderClient,
  metadata: Metadata,
  keys: KeySource,
  jwt: string,
): Promise<Members> {
  const claims = readClaims(jwt);
  if (claims === null) {
    const advice = 'Register the client for plain or signed UserInfo.';
    world.warn?.(`UserInfo: the answer is encrypted, or no JWT. ${advice}`);
    throw new ProblemError('response-rejected', detail`UserInfo: encrypted, or no JWT`);
  }
  const issuer = toExpectedIssuer(metadata, claims);
  const { iss = issuer, aud = provider.clientId } = claims;
  if (iss !== issuer) throw rejectClaim('iss', claims, detail`UserInfo of another issuer`);
  if (![aud].flat().includes(provider.clientId))
    throw rejectClaim('aud', claims, detail`UserInfo for another client`);
  // Its algorithm may differ from the ID token's, and needn't be in the metadata.
  const algorithms = publicKeyAlgorithms;
  const withAny: KeySource = async (wanted) => ({ ...(await keys(wanted)), algorithms });
  await verifySignature(metadata, withAny, { iss: issuer }, jwt);
  return claims;
}

// DPoP (RFC 9449): binds tokens to a key in this browser and proves possession of that key.

const algorithm = 'ES256';

/** Generates the key pair for the tokens of one sign-in. The private key isn't extractable. */
export function generateDpopKey(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify']);
}

/**
 * Whether a sign-in should bind its tokens to a key. If DPoP is required, metadata needn't mention it: the token response shows whether
 * it's supported. Throws {@link ProblemError} `provider-misconfigured` if it's required without our algorithm.
 */
export function wantsDpop({ dpop }: Provider, metadata: Metadata): boolean {
  const offered = metadata.dpop_signing_alg_values_supported;
  if (dpop === 'required' && offered?.includes(algorithm) === false) {
    const reason = detail`DPoP: the provider takes no ${safe(algorithm)} proofs`;
    throw new ProblemError('provider-misconfigured', reason);
  }
  return dpop === 'required' || (dpop === 'auto' && offered?.includes(algorithm) === true);
}

/** Returns the JWK thumbprint of a key (RFC 7638), which binds the authorization code to it (section 10). */
export function toThumbprint(dpopKey: CryptoKeyPair): Promise<string> {
  return oauth.DPoP({}, dpopKey).calculateThumbprint();
}

/**
 * Sends a request with a DPoP proof if there is a key. Retries it once if the server demands a nonce (sections 8 and 9), and once if it
 * rejects the proof with a response that shows that the proof's time was wrong. `request` must also process the response, because that is
 * where the demand is detected.
 */
export async function withProof<T>(
  client: ProviderClient,
  dpopKey: CryptoKeyPair | null,
  request: (proof: oauth.DPoPRequestOptions) => Promise<T>,
): Promise<T> {
  if (dpopKey === null) return request({});
  const proof = { DPoP: await findHandle(client, dpopKey) };
  const retried = new Set<'nonce' | 'time'>();
  for (;;) {
    const skewSeconds = client.skewSeconds();
    try {
      return await request(proof);
    } catch (error) {
      const isLate = isProofRejected(error) && isOtherSkew(skewSeconds, client.skewSeconds());
      const reason = oauth.isDPoPNonceError(error) ? 'nonce' : isLate ? 'time' : null;
      if (reason === null || retried.has(reason)) throw error;
      retried.add(reason);
    }
  }
}

/** Whether a server rejected the proof and not the token, in a body (section 5) or a challenge (section 7.1). */
function isProofRejected(error: unknown): boolean {
  const code = 'invalid_dpop_proof';
  if (!(error instanceof oauth.WWWAuthenticateChallengeError))
    return error instanceof oauth.ResponseBodyError && error.error === code;
  return error.cause.some(({ scheme, parameters }) => scheme === 'dpop' && parameters.error === code);
}

/** A session uses one key. At the same time, a sign-in may use a new key, and pending revocations former ones. */
const maxHandles = 10;

/** Finds the handle by thumbprint, because a key read from storage is a new object each time. */
async function findHandle(
  { dpopHandles, nowSeconds }: ProviderClient,
  dpopKey: CryptoKeyPair,
): Promise<oauth.DPoPHandle> {
  const thumbprint = await toThumbprint(dpopKey);
  const handle =
    dpopHandles.get(thumbprint) ??
    oauth.DPoP({}, dpopKey, {
      // oauth4webapi would keep the clock skew from when the handle was created.
      [oauth.modifyAssertion]: (_header, payload) => void (payload['iat'] = nowSeconds()),
    });
  // The newest is the last.
  dpopHandles.delete(thumbprint);
  dpopHandles.set(thumbprint, handle);
  const [oldest] = dpopHandles.keys();
  if (dpopHandles.size > maxHandles && oldest !== undefined) dpopHandles.delete(oldest);
  return handle;
}
