import { UserManager, WebStorageStateStore } from 'oidc-client-ts';

export const manager = new UserManager({
  authority: 'https://provider.example',
  client_id: 'client',
  redirect_uri: 'https://extension.chromiumapp.org/',
  userStore: new WebStorageStateStore({ store: localStorage }),
});
