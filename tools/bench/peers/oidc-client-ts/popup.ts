// The user that the library has stored, as https://authts.github.io/oidc-client-ts/ reads it. The library needs a window,
// so a sign-in runs in the popup, with the library's client and the browser's sign-in window.

import { OidcClient, User, WebStorageStateStore } from 'oidc-client-ts';
import { show } from '../show.ts';
import { manager } from './manager.ts';

Object.assign(globalThis, {
  async signIn(issuer: string, clientId: string): Promise<string> {
    const client = new OidcClient({
      authority: issuer,
      client_id: clientId,
      redirect_uri: chrome.identity.getRedirectURL('demo'),
      scope: 'openid profile email offline_access',
      stateStore: new WebStorageStateStore({ store: localStorage }),
    });
    const { url } = await client.createSigninRequest({});
    const redirected = await chrome.identity.launchWebAuthFlow({ url, interactive: true });
    const response = await client.processSigninResponse(redirected);
    await manager.storeUser(new User(response));
    return 'signed in';
  },
});

const user = await manager.getUser();
show(user?.profile.email);
