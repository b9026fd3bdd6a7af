// The OpenID Provider itself: oidc-provider with our settings. The pages and the API are in other files.

import { type JWK, exportJWK, generateKeyPair } from 'jose';
import type { Context, Provider } from 'oidc-provider';
import { toClients, type ConfidentialClient } from './clients.ts';
import type { InteractionState } from './interaction.ts';
import { pageHeaders } from './page.ts';
import {
  codeAcceptedPage,
  codeConfirmationPage,
  codePage,
  errorPage,
  logoutPage,
  signedOutPage,
} from './pages.ts';
import { billsResource, billsScope, confirmedAcr } from './bills.ts';
import { findPerson } from './people.ts';
import type { createStore } from './store.ts';

export interface ProtocolSettings {
  readonly issuer: string;
  readonly redirectUris: readonly string[];
  readonly accessTokenSeconds: number | (() => number);
  readonly refreshTokenSeconds: number;
  readonly idTokenSeconds: number;
  readonly profileInIdToken: boolean;
  readonly consentForRefreshToken: boolean;
  /** Null for a public client. */
  readonly confidential: ConfidentialClient | null;
}

/** The state that survives a change of the signing keys. */
export interface ProtocolState extends InteractionState {
  readonly store: ReturnType<typeof createStore>;
  readonly cookieKeys: readonly string[];
  /** The first key signs; all are published. */
  readonly signingKeys: readonly JWK[];
}

const { Provider: OidcProvider, interactionPolicy, errors } = await importQuietly();

/** Thrown when an interaction's page is opened or submitted after the interaction has ended. */
export const InteractionNotFound = errors.SessionNotFound;

type Middleware = Parameters<Provider['use']>[0];

const dayInSeconds = 24 * 60 * 60;

/** Builds an OpenID Provider on the given state. */
export function createProtocol(
  { issuer, redirectUris, ...settings }: ProtocolSettings,
  state: ProtocolState,
): Provider {
  const formTargets = redirectUris.map((uri) => new URL(uri).origin);
  const provider: Provider = new OidcProvider(issuer, {
    adapter: state.store,
    jwks: { keys: state.signingKeys },

    clients: toClients(redirectUris, settings.confidential),
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientBasedCORS: () => true,
    responseTypes: ['code', 'id_token'],
    pkce: { required: () => true },

    // A feature can request `notes.read` after the sign-in.
    scopes: ['openid', 'offline_access', 'notes.read'],
    acrValues: [confirmedAcr],
    // The API of bills looks at them.
    extraTokenClaims: ({ oidc }: Context) => {
      const source = oidc?.entities?.['RefreshToken'] ?? oidc?.entities?.['AuthorizationCode'];
      return { acr: source?.acr, auth_time: source?.authTime };
    },
    claims: { profile: ['name', 'picture'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: !settings.profileInIdToken,
    findAccount: (_context: Context, id: string) => findAccount(id, issuer),
    loadExistingGrant: (context: Context) => state.consents.loadExistingGrant(provider, context),
    interactions: { policy: createPolicy() },

    // Otherwise oidc-provider decides by the scope of the code.
    ...(!settings.consentForRefreshToken && {
      issueRefreshToken: (_context: Context, _client: unknown, code: { codeChallenge?: string }) =>
        state.offlineChallenges.has(code.codeChallenge),
    }),
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    clockTolerance: 0,
    ttl: {
      AccessToken: settings.accessTokenSeconds,
      RefreshToken: settings.refreshTokenSeconds,
      IdToken: settings.idTokenSeconds,
      DeviceCode: 10 * 60,
      Interaction: 60 * 60,
      Grant: 14 * dayInSeconds,
      Session: 14 * dayInSeconds,
    },

    cookies: { keys: state.cookieKeys, names: cookieNames(new URL(issuer).port) },
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
          return { scope: billsScope, audience: billsResource, accessTokenFormat: 'opaque' };
        },
      },
      revocation: { enabled: true, allowedPolicy: () => true },
      rpInitiatedLogout: {
        logoutSource: (context: Context, form: string) => show(context, logoutPage(form)),
        postLogoutSuccessSource: (context: Context) => show(context, signedOutPage()),
      },
    },
    renderError: (context: Context, { error, error_description: text }: Record<string, string>) =>
      show(context, errorPage('This did not work', text ?? 'The request cannot be answered.', error)),
  });

  if (!settings.consentForRefreshToken) provider.use(rememberOfflineAccess(state));
  provider.use(shortenInterval);
  provider.on('server_error', (_context, error) => console.error(error));
  return provider;

  function show(context: Context, html: string): void {
    context.set(pageHeaders(formTargets));
    context.body = html;
  }
}

/**
 * oidc-provider removes offline_access from a request without prompt=consent. Whether to issue a refresh token is decided at
 * the code's redemption, and the PKCE challenge links the code to its request.
 */
function rememberOfflineAccess({ offlineChallenges }: ProtocolState): Middleware {
  return async (context, next) => {
    await next();
    const requested = { ...context.query, ...context.oidc?.body };
    const scope = requested['scope'];
    if (typeof scope === 'string' && scope.split(' ').includes('offline_access')) {
      offlineChallenges.add(requested['code_challenge']);
    }
  };
}

/** Shorter than the five seconds that a missing interval means in the answer with a device code. */
const shortenInterval: Middleware = async (context, next) => {
  await next();
  const body = context.body as Readonly<Record<string, unknown>> | null | undefined;
  if (typeof body?.['device_code'] === 'string') context.body = { ...body, interval: 1 };
};

/** A new key pair for ID tokens, as a private JWK. */
export async function generateSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  return exportJWK(privateKey);
}

function findAccount(id: string, issuer: string) {
  const person = findPerson(id);
  return (
    person && {
      accountId: person.id,
      claims: () => ({
        sub: person.id,
        name: person.name,
        email: person.email,
        email_verified: true,
        ...(person.portrait === null ? {} : { picture: `${issuer}/people/${person.id}.svg` }),
      }),
    }
  );
}

/** oidc-provider's own policy plus `prompt=select_account` and `acr_values`, which it does not implement. */
function createPolicy(): unknown {
  const policy = interactionPolicy.base();
  const isConfirmed = ({ oidc }: Context) =>
    !String(oidc?.params?.['acr_values'] ?? '')
      .split(' ')
      .includes(confirmedAcr) || oidc?.acr === confirmedAcr;
  const { Check } = interactionPolicy;
  const wantsAcr = new Check('acr_wanted', 'The person has to confirm who they are.', (context: Context) =>
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
 * COMPAT(Node 20): oidc-provider prints a warning that it needs Node 22. The parts used here work on Node 20, as the
 * tests show, so this hides that one line. Remove it with the support for Node 20.
 */
async function importQuietly(): Promise<typeof import('oidc-provider')> {
  const { warn } = console;
  console.warn = (...values: unknown[]) => {
    if (!String(values[0]).includes('oidc-provider WARNING: Unsupported runtime.')) warn(...values);
  };
  try {
    return await import('oidc-provider');
  } finally {
    console.warn = warn;
  }
}
