// Forgejo: Codeberg, or an instance of your own.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Forgejo',
  settings: { scope: 'openid profile email' },
  asks: [
    {
      setting: 'issuer',
      expected: 'the address of the instance, such as "https://codeberg.org", without a slash at the end',
    },
  ],
  issuers: {
    example: 'https://codeberg.org',
    patterns: [/^https:\/\/(codeberg\.org|([^/]{1,100}\.)?forgejo\.[^/]{1,100})(\/|$)/],
    mistakes: [
      {
        pattern: /\/login\/oauth(\/|$)/,
        advice:
          'That is an endpoint. The issuer is the address of the instance, such as "https://codeberg.org".',
      },
      { pattern: /^https:\/\/[^/]{1,200}\/$/, advice: 'Remove the slash at the end.' },
    ],
  },
  registration: {
    console: 'Forgejo, "Applications" in the settings of a user, an organization or the site',
    steps: [
      'Create an OAuth2 application with the redirect URIs {redirectUri:chrome} and {redirectUri:firefox}, one in each line.',
      'Untick "Confidential client".',
      'Copy "Client ID" to "clientId".',
    ],
    origins: 'any',
  },
  limits: [
    {
      kind: 'other',
      text: 'A public client asks the person for consent at each sign-in, so there is no silent sign-in.',
    },
    {
      kind: 'other',
      text: '"Use another account" leads to the account that is signed in at Forgejo. The person signs out there first.',
    },
    {
      kind: 'other',
      text: "An access token may do everything that the person may: its scopes don't limit it.",
    },
    {
      kind: 'other',
      text: 'After a change of "scope", Forgejo refuses people who agreed before, until they revoke the application in their settings.',
    },
    {
      kind: 'no-revocation',
      text: 'No endpoint revokes a refresh token. A sign-out deletes it on this device only.',
    },
    { kind: 'no-logout', text: 'There is no page that ends the session by a request of a client.' },
    {
      kind: 'other',
      text: "ID tokens call the email of every active account verified, also where the instance doesn't confirm addresses.",
    },
  ],
  read: '2026-11-25',
  facts: [
    {
      text: "Public clients are supported. A token of an application has administrative rights, because scopes aren't implemented.",
      source: 'https://forgejo.org/docs/v16.0/user/oauth2-provider/',
    },
    {
      how: 'read in another project',
      text: 'In a mirror of the source, a public client needs PKCE and no secret, its consent page is shown each time, no prompt is read, and another scope than before is refused.',
      source: 'https://github.com/creator-signal/fork-forgejo-forgejo/blob/forgejo/routers/web/auth/oauth.go',
    },
    {
      how: 'read in another project',
      text: 'In the same mirror, the issuer is the address of the instance without the slash. Discovery names no endpoint for revocation or logout.',
      source:
        'https://github.com/creator-signal/fork-forgejo-forgejo/blob/forgejo/templates/user/auth/oidc_wellknown.tmpl',
    },
    {
      how: 'read in another project',
      text: 'The token endpoint has a CORS handler, which adds headers and refuses no origin, as in Gitea, from which Forgejo comes.',
      source: 'https://github.com/go-gitea/gitea/blob/main/routers/web/web.go',
    },
  ],
} satisfies Profile;
