// How each setting is used: in which flows it matters, whether a policy may set it, and an example. For
// docs/configuration-reference.md; tests/config/reference.test.ts compares it with what the reader and a policy accept.

import type { configEntries, providerEntries } from '../src/config/schema.ts';

/** The flows in which a person signs in, by the setting that chooses them. */
export const flows = ['code', 'id-token', 'oauth', 'device'] as const;

export type FlowName = (typeof flows)[number];

/**
 * Whether a policy may set it: `hosts` on hosts that the build may reach, `part` if the build contains what the setting
 * needs, `narrows` in addition to what the build says.
 */
type PolicyUse = 'yes' | 'no' | 'hosts' | 'part' | 'narrows';

export interface Use {
  readonly flows: readonly FlowName[];
  readonly policy: PolicyUse;
  /** The longer explanation: a page of docs/ and the heading there; null if there is none. */
  readonly more: string | null;
  /** A value; with the other settings that it needs, in the order in which they are shown. */
  readonly example: Readonly<Record<string, unknown>>;
}

const every = flows;
/** In a sign-in window. */
const window = ['code', 'id-token', 'oauth'] as const;
/** With an ID token. */
const identified = ['code', 'id-token', 'device'] as const;
/** With an access token. */
const authorized = ['code', 'oauth', 'device'] as const;

type ConfigKey = Exclude<keyof ReturnType<typeof configEntries>, '$schema'>;

/** The uses of the settings beside the providers'. */
export const configUses: Readonly<Record<ConfigKey, Use>> = {
  providers: {
    flows: every,
    policy: 'yes',
    more: 'configuration.md#Which flow',
    example: {
      providers: [{ id: 'acme', name: 'Acme', issuer: 'https://id.acme.example', clientId: 'latchkey' }],
    },
  },
  persistence: {
    flows: every,
    policy: 'yes',
    more: 'architecture.md#What is stored where',
    example: { persistence: 'browser' },
  },
  policyOrigins: {
    flows: every,
    policy: 'no',
    more: 'administrators.md#The policy',
    example: { policyOrigins: ['https://login.tenant.example'] },
  },
};

/** The uses of a provider's settings. */
export const providerUses: Readonly<Record<keyof ReturnType<typeof providerEntries>, Use>> = {
  id: { flows: every, policy: 'yes', more: 'administrators.md#The policy', example: { id: 'acme' } },
  name: { flows: every, policy: 'yes', more: null, example: { name: 'Acme' } },
  profile: {
    flows: every,
    policy: 'no',
    more: 'configuration.md#Profiles',
    example: { profile: 'keycloak', issuer: 'https://login.acme.example/realms/staff' },
  },
  issuer: {
    flows: every,
    policy: 'hosts',
    more: 'configuration.md#Issuers of another form',
    example: { issuer: 'https://login.tenant.example' },
  },
  discoveryUrl: {
    flows: every,
    policy: 'hosts',
    more: 'configuration.md#Issuers of another form',
    example: {
      discoveryUrl: 'https://login.tenant.example/.well-known/openid-configuration',
      origins: ['https://login.tenant.example'],
    },
  },
  issuerTemplate: {
    flows: identified,
    policy: 'yes',
    more: 'configuration.md#Issuers of another form',
    example: { issuerTemplate: 'https://id.acme.example/{tenantid}/v2.0' },
  },
  clientId: {
    flows: every,
    policy: 'yes',
    more: 'configuration.md#What to register',
    example: { clientId: 'latchkey' },
  },
  scope: {
    flows: every,
    policy: 'yes',
    more: 'troubleshooting.md#Sessions that end too early',
    example: { scope: 'openid email offline_access' },
  },
  origins: {
    flows: every,
    policy: 'hosts',
    more: 'configuration.md#Where the values go',
    example: { origins: ['https://login.tenant.example'] },
  },
  apiOrigins: {
    flows: every,
    policy: 'hosts',
    more: 'feature.md#What `fetch` does',
    example: { apiOrigins: ['https://login.tenant.example'] },
  },
  apiToken: {
    flows: ['id-token'],
    policy: 'part',
    more: 'configuration.md#A provider that wants a secret',
    example: { apiToken: 'id_token', responseType: 'id_token' },
  },
  responseType: {
    flows: ['code', 'id-token'],
    policy: 'part',
    more: 'configuration.md#A provider that wants a secret',
    example: { responseType: 'id_token' },
  },
  firefoxRedirect: {
    flows: window,
    policy: 'part',
    more: 'configuration.md#The redirect URI in Firefox',
    example: { firefoxRedirect: 'loopback' },
  },
  authorizationParameters: {
    flows: every,
    policy: 'yes',
    more: 'administrators.md#The policy',
    example: { authorizationParameters: { ui_locales: 'de' } },
  },
  signInPrompt: {
    flows: window,
    policy: 'yes',
    more: 'troubleshooting.md#Sessions that end too early',
    example: { signInPrompt: 'consent' },
  },
  otherAccountPrompt: { flows: window, policy: 'yes', more: null, example: { otherAccountPrompt: 'login' } },
  resource: {
    flows: authorized,
    policy: 'yes',
    more: 'troubleshooting.md#An API that refuses a feature',
    example: { resource: 'https://api.acme.example' },
  },
  audience: {
    flows: authorized,
    policy: 'yes',
    more: 'troubleshooting.md#An API that refuses a feature',
    example: { audience: 'acme-api' },
  },
  maxAgeSeconds: { flows: identified, policy: 'yes', more: null, example: { maxAgeSeconds: 3600 } },
  refreshTokenSeconds: {
    flows: ['code'],
    policy: 'yes',
    more: 'troubleshooting.md#Sessions that end too early',
    example: { refreshTokenSeconds: 86400 },
  },
  acrValues: { flows: identified, policy: 'yes', more: null, example: { acrValues: 'phr' } },
  trustedAudiences: {
    flows: identified,
    policy: 'yes',
    more: 'configuration.md#Further audiences',
    example: { trustedAudiences: ['123456789'] },
  },
  allowed: {
    flows: every,
    policy: 'narrows',
    more: 'configuration.md#Who may sign in',
    example: { allowed: { hd: ['acme.example'] } },
  },
  par: { flows: window, policy: 'yes', more: null, example: { par: 'always' } },
  dpop: {
    flows: authorized,
    policy: 'yes',
    more: 'troubleshooting.md#An API that refuses a feature',
    example: { dpop: 'auto' },
  },
  deviceFlow: {
    flows: ['device'],
    policy: 'part',
    more: 'configuration.md#The device flow',
    example: { deviceFlow: 'only' },
  },
  logoutParameters: {
    flows: every,
    policy: 'yes',
    more: 'configuration.md#Signing out at the provider',
    example: { logoutParameters: { redirectUri: 'logout_uri', idToken: null } },
  },
  metadata: {
    flows: every,
    policy: 'hosts',
    more: 'configuration.md#Where the values go',
    example: {
      metadata: { token_endpoint: 'https://login.tenant.example/token' },
      origins: ['https://login.tenant.example'],
    },
  },
  userApi: {
    flows: ['oauth', 'device'],
    policy: 'part',
    more: 'configuration.md#Providers without ID tokens',
    example: {
      userApi: { url: 'https://id.acme.example/me', subject: 'id' },
      scope: 'user:read',
      metadata: {
        authorization_endpoint: 'https://id.acme.example/authorize',
        token_endpoint: 'https://id.acme.example/token',
      },
    },
  },
};
