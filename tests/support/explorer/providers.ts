// The providers of the search: clients at one issuer, each used in another way.

import { byUserApi, oauthFlow } from '../../../src/oidc/oauth-flow.ts';
import { idTokenFlow } from '../../../src/oidc/id-token-flow.ts';
import { createDeviceSignIn } from '../../../src/background/session/device-sign-in.ts';
import { oauthTokens } from '../../../src/background/session/oauth-tokens.ts';
import type { OptionalParts } from '../../../src/background/worker.ts';
import type { Provider } from '../../../src/config/provider.ts';
import { apiOrigin } from '../scripted-api.ts';
import { plainSettings, provider as scripted } from '../scripted-provider.ts';

/** Another API of the same provider. */
export const otherApiOrigin = 'https://other-api.example';
export const apiOrigins = [apiOrigin, otherApiOrigin];

export const provider: Provider = { ...scripted, apiOrigins };

/**
 * Another client at the same issuer: the same person has another account there. Its tokens are bound to a key, its
 * refresh tokens end some time after the sign-in, however often they are renewed, and revoking one ends that one alone.
 */
export const otherProvider: Provider = {
  ...provider,
  id: 'other',
  name: 'Other client',
  clientId: 'other-client',
  dpop: 'required',
  refreshTokenSeconds: 60 * 60,
};

/** The sign-in page answers with an ID token, and there is no other token. */
export const idTokenProvider: Provider = {
  ...provider,
  id: 'id-token',
  clientId: 'id-token-client',
  responseType: 'id_token',
  apiToken: 'id_token',
};

/** Plain OAuth 2: no ID tokens, and no silent sign-in. */
export const plainProvider: Provider = {
  ...provider,
  ...plainSettings,
  id: 'plain',
  clientId: 'plain-client',
};

/** The person enters a code on a page that they open themselves. */
export const deviceProvider: Provider = {
  ...provider,
  id: 'device',
  clientId: 'device-client',
  deviceFlow: 'only',
};

/** The parts of a build for these providers. */
export function toOptionalParts(providers: readonly Provider[]): OptionalParts {
  return {
    ...(providers.includes(idTokenProvider) && { idTokenFlow }),
    ...(providers.includes(plainProvider) && { oauthFlow, oauthTokens }),
    ...(providers.includes(deviceProvider) && {
      createDeviceSignIn: createDeviceSignIn(() => true, byUserApi),
    }),
  };
}
