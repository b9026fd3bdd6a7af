// The user that the library has stored.

import { PublicClientApplication } from '@azure/msal-browser';
import { show } from '../show.ts';

const app = new PublicClientApplication({
  auth: {
    clientId: '00000000-0000-0000-0000-000000000001',
    authority: 'https://login.microsoftonline.com/common',
    redirectUri: 'https://extension.chromiumapp.org/',
  },
  cache: { cacheLocation: 'localStorage' },
});
await app.initialize();
const [account] = app.getAllAccounts();
show(account?.username);
