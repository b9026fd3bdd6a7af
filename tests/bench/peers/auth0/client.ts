import { Auth0Client } from '@auth0/auth0-spa-js';

export const client = new Auth0Client({
  domain: 'tenant.auth0.example',
  clientId: 'client',
  cacheLocation: 'localstorage',
  useRefreshTokens: true,
});
