import { loadExternalTokens } from '@azure/msal-browser';
import { email, idToken, seed } from '../seed.ts';
import { app, configuration } from './app.ts';

const tenantId = '00000000-0000-0000-0000-000000000002';
const localAccountId = '00000000-0000-0000-0000-000000000003';

await seed(async () => {
  await app.initialize();
  const environment = 'login.microsoftonline.com';
  const homeAccountId = `${localAccountId}.${tenantId}`;
  await loadExternalTokens(
    configuration,
    {
      scopes: ['openid'],
      authority: `https://${environment}/${tenantId}`,
      account: { homeAccountId, localAccountId, tenantId, environment, username: email },
    },
    { id_token: idToken({ tid: tenantId, oid: localAccountId, preferred_username: email }) },
    {},
  );
});
