// The user that the library has stored, as https://authts.github.io/oidc-client-ts/ reads it. The library needs a window,
// so a sign-in runs in the popup, with the library's client and the browser's sign-in window.

import { OidcClient, User, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { show } from '../show.ts';

const settings = {
  authority: 'https://provider.example',
  client_id: 'client',
  redirect_uri: 'https://extension.chromiumapp.org/',
};
const manager = new UserManager({
  ...settings,
  userStore: new WebStorageStateStore({ store: localStorage }),
});

document.addEventListener('click', async () => {
  const client = new OidcClient({ ...settings, scope: 'openid profile email offline_access' });
  const { url } = await client.createSigninRequest({});
  const redirected = await chrome.identity.launchWebAuthFlow({ url, interactive: true });
  await manager.storeUser(new User(await client.processSigninResponse(redirected)));
});

const user = await manager.getUser();
show(user?.profile.email);
