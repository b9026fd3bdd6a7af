// The user that the library has stored, without a question to the service.

import { Auth0Client } from '@auth0/auth0-spa-js';
import { show } from '../show.ts';

const client = new Auth0Client({
  domain: 'tenant.auth0.example',
  clientId: 'client',
  cacheLocation: 'localstorage',
  useRefreshTokens: true,
});

const user = await client.getUser();
show(user?.email);
