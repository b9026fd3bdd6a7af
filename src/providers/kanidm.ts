// Kanidm, a server that a team runs itself.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Kanidm',
  settings: { scope: 'openid profile email' },
  asks: [
    {
      setting: 'issuer',
      expected:
        'the issuer of the client, such as "https://<host>/oauth2/openid/<client id>", without a slash at the end',
    },
  ],
  issuers: {
    example: 'https://<host>/oauth2/openid/<client id>',
    patterns: [/^https:\/\/[^/]{1,200}\/oauth2\/openid\/[^/]+/, /^https:\/\/[^/]+\/ui\/oauth2/],
    mistakes: [
      { pattern: /\/oauth2\/openid\/[^/]{1,100}\/$/, advice: 'Remove the slash at the end.' },
      {
        pattern: /\/ui\/oauth2|\/(userinfo|public_key\.jwk)$/,
        advice: 'That is an endpoint. The issuer is "https://<host>/oauth2/openid/<client id>".',
      },
    ],
  },
  registration: {
    console: 'The command "kanidm system oauth2"',
    steps: [
      'Create a public client with "create-public <client id> <displayname> <landing page>".',
      'Add {redirectUri:chrome} and {redirectUri:firefox}, each with "add-redirect-url <client id> <redirect URI>".',
      'Give the scopes {scopes} to a group of the people who may sign in, with "update-scope-map <client id> <group> <scopes>".',
      'Copy the client ID to "clientId", and to the end of "issuer".',
    ],
    origins: 'any',
  },
  limits: [
    {
      kind: 'scope-refused',
      text: 'A person without each of the scopes sees an error page. A refresh token comes without "offline_access".',
    },
    { kind: 'no-logout', text: 'There is no page that ends the session by a request of a client.' },
    {
      kind: 'refresh-token-ends',
      text: 'A refresh token lives 16 hours unless the client says otherwise. After a longer pause the person signs in again.',
    },
    {
      kind: 'other',
      text: '"Use another account" leads to the account that is signed in at Kanidm. The person signs out there first.',
    },
    {
      kind: 'other',
      text: "Kanidm shows its errors on a page of its own and doesn't redirect, so the person closes the window.",
    },
  ],
  read: '2026-11-25',
  facts: [
    {
      text: 'A public client is made with "create-public", and PKCE with S256 can\'t be switched off for it. Each client has its own issuer.',
      source: 'https://kanidm.github.io/kanidm/stable/integrations/oauth2.html',
    },
    {
      text: "Discovery names an endpoint for revocation and none for logout. A used refresh token ends the session that it belongs to. Errors aren't redirected.",
      source: 'https://github.com/kanidm/kanidm/blob/master/server/lib/src/idm/oauth2.rs',
    },
    {
      text: 'The token endpoint responds to every origin with "Access-Control-Allow-Origin: *".',
      source: 'https://github.com/kanidm/kanidm/blob/master/server/core/src/https/oauth2.rs',
    },
    {
      text: 'The prompt "login" asks the person who is signed in for the password again, and "select_account" has no effect.',
      source: 'https://github.com/kanidm/kanidm/blob/master/server/lib/src/idm/oauth2.rs',
    },
    {
      text: 'Access tokens live 15 minutes, and refresh tokens 16 hours by default.',
      source: 'https://github.com/kanidm/kanidm/blob/master/server/lib/src/constants/mod.rs',
    },
  ],
} satisfies Profile;
