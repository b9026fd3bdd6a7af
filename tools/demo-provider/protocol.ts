// The OpenID Provider itself: oidc-provider with our settings. The pages and the API are in other files.

import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import type { Context, Provider } from 'oidc-provider';
import { loadGrant, type InteractionState } from './interaction.ts';
import {
  pageHeaders,
  codeAcceptedPage,
  codeConfirmationPage,
  codePage,
  errorPage,
  logoutPage,
  signedOutPage,
} from './pages.ts';
import { billsResource, billsServer, confirmedAcr, toAuthenticationClaims } from './bills.ts';
import { findUser } from './people.ts';

export interface ProtocolSettings {
  /** The client's redirect URIs, for sign-in and sign-out. Without one, no one can sign in. */
  readonly redirectUris?: readonly string[];
  /** Lifetime of an access token, or what returns it for the next one. Default: five minutes. */
  readonly accessTokenSeconds?: number | (() => number);
  /** Default: an hour. */
  readonly idTokenSeconds?: number;
  /** Whether it issues a refresh token only for a request with `prompt=consent`, as many providers do. Default false. */
  readonly consentForRefreshToken?: boolean;
  /** The secret that the client must authenticate with, and how. By default it's a public client. */
  readonly confidential?: ConfidentialClient;
}

const [hourInSeconds, dayInSeconds] = [60 * 60, 24 * 60 * 60];

const restoreWarnings = hideWarnings();
const { Provider: OidcProvider, interactionPolicy, errors } = await import('oidc-provider');
restoreWarnings();

/** Thrown when an interaction's page is opened or submitted after the interaction has ended. */
export const InteractionNotFound = errors.SessionNotFound;

type Middleware = Parameters<Provider['use']>[0];

/** Builds an OpenID Provider with a new key, which keeps everything in memory. */
export async function createProtocol(
  issuer: string,
  { redirectUris = [], consentForRefreshToken = false, ...settings }: ProtocolSettings,
  state: InteractionState,
): Promise<Provider> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const keys = [await exportJWK(privateKey)];
  const restore = hideWarnings();
  const provider: Provider = new OidcProvider(issuer, {
    jwks: { keys },

    clients: toClients(redirectUris, settings.confidential),
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientBasedCORS: () => true,
    responseTypes: ['code', 'id_token'],
    pkce: { required: () => true },

    // A feature can request `notes.read` after the sign-in.
    scopes: ['openid', 'offline_access', 'notes.read'],
    acrValues: [confirmedAcr],
    extraTokenClaims: toAuthenticationClaims,
    claims: { profile: ['name', 'picture'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    findAccount: (_context: Context, id: string) => findAccount(id, issuer),
    loadExistingGrant: (context: Context) => loadGrant(provider, state, context),
    interactions: { policy: createPolicy() },

    // Otherwise oidc-provider decides by the scope of the code.
    ...(!consentForRefreshToken && {
      issueRefreshToken: (_context: Context, _client: unknown, code: { codeChallenge?: string }) =>
        state.offlineChallenges.has(code.codeChallenge),
    }),
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    clockTolerance: 0,
    ttl: {
      AccessToken: settings.accessTokenSeconds ?? 5 * 60,
      RefreshToken: 14 * dayInSeconds,
      IdToken: settings.idTokenSeconds ?? hourInSeconds,
      DeviceCode: 10 * 60,
      Interaction: hourInSeconds,
      Grant: 14 * dayInSeconds,
      Session: 14 * dayInSeconds,
    },

    cookies: { keys: [randomBytes(32).toString('base64url')], names: cookieNames(new URL(issuer).port) },
    routes: {
      userinfo: '/userinfo',
      pushed_authorization_request: '/par',
      revocation: '/revoke',
      device_authorization: '/device-code',
      code_verification: '/device',
    },
    features: {
      devInteractions: { enabled: false },
      deviceFlow: {
        enabled: true,
        userCodeInputSource: (context: Context, form: string, _out: unknown, error?: Error) =>
          show(context, codePage(form, error !== undefined)),
        userCodeConfirmSource: (
          context: Context,
          form: string,
          _client: unknown,
          _device: unknown,
          code: string,
        ) => show(context, codeConfirmationPage(form, code)),
        successSource: (context: Context) => show(context, codeAcceptedPage()),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => undefined,
        getResourceServerInfo(_context: Context, resource: string) {
          if (resource !== billsResource) throw new errors.InvalidTarget();
          return billsServer;
        },
      },
      revocation: { enabled: true, allowedPolicy: () => true },
      rpInitiatedLogout: {
        logoutSource: (context: Context, form: string) => show(context, logoutPage(form)),
        postLogoutSuccessSource: (context: Context) => show(context, signedOutPage()),
      },
    },
    renderError: (context: Context, { error, error_description: text }: Record<string, string>) =>
      show(context, errorPage("This didn't work", text ?? "The request can't be handled.", error)),
  });
  restore();

  if (!consentForRefreshToken) provider.use(rememberOfflineAccess(state));
  provider.use(shortenInterval);
  provider.on('server_error', (_context, error) => console.error(error));
  return provider;

  function show(context: Context, html: string): void {
    context.set(pageHeaders);
    context.body = html;
  }
}

/**
 * oidc-provider removes offline_access from a request without prompt=consent. So the decision about a refresh token is made when
 * the code is redeemed, and the PKCE challenge links the code to its request.
 */
function rememberOfflineAccess({ offlineChallenges }: InteractionState): Middleware {
  return async (context, next) => {
    await next();
    const requested = { ...context.query, ...context.oidc?.body };
    const scope = requested['scope'];
    if (typeof scope === 'string' && scope.split(' ').includes('offline_access')) {
      offlineChallenges.add(requested['code_challenge']);
    }
  };
}

/** Shorter than the five seconds that a missing interval means in the response with a device code. */
const shortenInterval: Middleware = async (context, next) => {
  await next();
  const body = context.body as Readonly<Record<string, unknown>> | null | undefined;
  if (typeof body?.['device_code'] === 'string') context.body = { ...body, interval: 1 };
};

function findAccount(id: string, issuer: string) {
  const user = findUser(id);
  return (
    user && {
      accountId: user.id,
      claims: () => ({
        sub: user.id,
        name: user.name,
        email: user.email,
        email_verified: true,
        ...(user.portrait === null ? {} : { picture: `${issuer}/people/${user.id}.svg` }),
      }),
    }
  );
}

/** oidc-provider's own policy plus `prompt=select_account` and `acr_values`, which it doesn't implement. */
function createPolicy(): unknown {
  const policy = interactionPolicy.base();
  const isConfirmed = ({ oidc }: Context) =>
    !String(oidc?.params?.['acr_values'] ?? '')
      .split(' ')
      .includes(confirmedAcr) || oidc?.acr === confirmedAcr;
  const { Check } = interactionPolicy;
  const wantsAcr = new Check('acr_wanted', 'The user has to confirm who they are.', (context: Context) =>
    isConfirmed(context) ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
  );
  policy.get('login').checks.add(wantsAcr);
  // Otherwise a native client never succeeds with prompt=none.
  policy.get('consent').checks.remove('native_client_prompt');
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0);
  return policy;
}

/** Cookies ignore ports, so two providers on this computer would overwrite each other's without these names. */
function cookieNames(port: string): Readonly<Record<string, string>> {
  return { session: `session_${port}`, interaction: `interaction_${port}`, resume: `resume_${port}` };
}

/**
 * Hides the warnings of oidc-provider until the function that it returns is called: that it keeps everything in memory, and that
 * it needs Node 22. The parts used here work on Node 20, as the tests show.
 */
function hideWarnings(): () => void {
  const { warn } = console;
  console.warn = (...values: unknown[]) => {
    if (!String(values[0]).includes('oidc-provider WARNING: ')) warn(...values);
  };
  return () => {
    console.warn = warn;
  };
}

export const clientId = 'latchkey-demo';
/** The client of a configuration with the `responseType` `id_token`. */
export const idTokenClientId = 'latchkey-demo-id-token';
/** A client that signs people in with a code, and in no other way (RFC 8628). */
export const deviceClientId = 'latchkey-demo-device';

/** A client with a secret. No extension can be one; a relay can. */
interface ConfidentialClient {
  readonly secret: string;
  readonly authentication: 'client_secret_basic' | 'client_secret_post';
}

function toClients(
  redirectUris: readonly string[],
  confidential: ConfidentialClient | undefined,
): readonly Readonly<Record<string, unknown>>[] {
  const any = { client_name: 'Extension', id_token_signed_response_alg: 'ES256' };
  const device = {
    ...any,
    client_id: deviceClientId,
    token_endpoint_auth_method: 'none',
    grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
    response_types: [],
    redirect_uris: [],
  };
  // oidc-provider rejects a client without a redirect URI.
  if (redirectUris.length === 0) return [device];
  const withWindow = { ...any, redirect_uris: redirectUris, post_logout_redirect_uris: redirectUris };
  const code = {
    ...withWindow,
    client_id: clientId,
    token_endpoint_auth_method: confidential?.authentication ?? 'none',
    ...(confidential && { client_secret: confidential.secret }),
    grant_types: ['authorization_code', 'refresh_token'],
  };
  const idToken = {
    ...withWindow,
    client_id: idTokenClientId,
    // A web client may only use the implicit flow with https, and the loopback address of Firefox isn't https.
    application_type: 'native',
    token_endpoint_auth_method: 'none',
    grant_types: ['implicit'],
    response_types: ['id_token'],
  };
  return [code, idToken, device];
}
