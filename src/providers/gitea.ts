// Gitea: gitea.com, or an instance of your own.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Gitea',
  settings: { scope: 'openid profile email read:user' },
  asks: [
    {
      setting: 'issuer',
      expected:
        'the address of the instance, such as "https://gitea.com", as its discovery document writes it',
    },
  ],
  issuers: {
    example: 'https://gitea.com',
    patterns: [/^https:\/\/([^/]{1,100}\.)?gitea\.[^/]{1,100}(\/|$)/],
    mistakes: [
      {
        pattern: /\/login\/oauth(\/|$)/,
        advice:
          'That is an endpoint. The issuer is the address of the instance, such as "https://gitea.com".',
      },
    ],
  },
  registration: {
    console: 'Gitea, "Applications" in the settings of a user, an organization or the site',
    steps: [
      'Create an OAuth2 application with the redirect URIs {redirectUri:chrome} and {redirectUri:firefox}, one in each line.',
      'Untick "Confidential Client".',
      'For silent sign-in, tick "Skip authorization for public clients after granting access once".',
      'Copy "Client ID" to "clientId".',
      'Copy "issuer" of "/.well-known/openid-configuration" to "issuer": older versions end it with a slash, newer ones don\'t.',
    ],
    origins: 'any',
  },
  limits: [
    {
      kind: 'other',
      text: 'A public client asks the person for consent at each sign-in, and there is no silent sign-in, unless the application skips it.',
    },
    {
      kind: 'other',
      text: '"Use another account" leads to the account that is signed in at Gitea. The person signs out there first.',
    },
    {
      kind: 'other',
      text: 'Without a scope of its API, such as "read:user", an access token may do everything that the person may.',
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
      text: 'A public client needs PKCE and no secret. Its consent page is shown each time, and no prompt is read.',
      source: 'https://github.com/go-gitea/gitea/blob/main/routers/web/auth/oauth2_provider.go',
    },
    {
      text: 'Discovery names endpoints for tokens, keys, UserInfo and device codes, and none for revocation or logout.',
      source: 'https://github.com/go-gitea/gitea/blob/main/routers/web/auth/oauth2_wellknown.go',
    },
    {
      text: 'The tests expect an issuer without a slash at the end, unless JWT_CLAIM_ISSUER has one. Versions before that setting ended it with a slash.',
      source: 'https://github.com/go-gitea/gitea/blob/main/tests/integration/oauth_test.go',
    },
    {
      text: 'A refresh token comes with every response. A used one is refused only with INVALIDATE_REFRESH_TOKENS. Without a scope of the API, tokens have full access.',
      source: 'https://github.com/go-gitea/gitea/blob/main/services/oauth2_provider/access_token.go',
    },
    {
      text: 'The token endpoint has a CORS handler, which adds headers and refuses no origin, and is exempt from the protection against forged requests.',
      source: 'https://github.com/go-gitea/gitea/blob/main/routers/web/web.go',
    },
    {
      text: 'The setting that skips the consent page has that label, and a refresh token lives 730 hours by default. Not tried here.',
    },
  ],
} satisfies Profile;
