// Ory Network, or Ory Hydra on a host of your own.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Ory',
  settings: { otherAccountPrompt: 'login' },
  asks: [
    {
      setting: 'issuer',
      expected:
        'the issuer of your project, such as "https://<slug>.projects.oryapis.com", to the letter as in its discovery document',
    },
  ],
  issuers: {
    example: 'https://<slug>.projects.oryapis.com',
    patterns: [/^https:\/\/[^/]+\.oryapis\.com(\/|$)/],
    mistakes: [
      {
        pattern: /\/oauth2\/(auth|token)/,
        advice: 'That is an endpoint. The issuer is the address of the project alone.',
      },
    ],
  },
  registration: {
    console: 'Ory Console, "OAuth2"',
    steps: [
      'Create an OAuth2 client with the authentication method "None".',
      'Add the grant types "authorization_code" and "refresh_token", the response type "code" and the scopes {scopes}.',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to the redirect URIs and to the post-logout redirect URIs.',
      'Copy "Client ID" to "clientId".',
    ],
    origins: 'any',
  },
  limits: [{ kind: 'other', text: 'A refresh token that is used twice ends the whole session.' }],
  apis: {
    by: 'none',
    text: 'A refresh token keeps the scope and the audience of the sign-in. One token can be for all your APIs: name them in "audience", separated by spaces, and list their origins in "apiOrigins".',
  },
  stepUp: {
    by: ['acr_values', 'max_age'],
    text: 'A login page of your own gets "acr_values", and must act on it and name "acr": without that it is "0". What the page of Ory Network does isn\'t known.',
  },
  read: '2026-11-25',
  facts: [
    {
      text: 'Before June 2026 "select_account" was refused with "invalid_request"; since then it asks for a login.',
      source: 'https://github.com/ory/docs/pull/2606',
      date: '2026-09',
    },
    {
      text: 'A client without a secret uses the authentication method "none". Not tried here.',
      date: '2026-11-22',
    },
    {
      text: 'CORS only adds headers, by the client or for all. A request with a different origin still gets a response.',
      source: 'https://github.com/ory/hydra/blob/master/x/oauth2cors/cors.go',
    },
    {
      text: 'A request with a refresh token gets the scope and the audience of the sign-in, whatever it asks for.',
      source: 'https://github.com/ory/hydra/blob/master/fosite/handler/oauth2/flow_refresh.go',
    },
    {
      text: '"audience" is a list separated by spaces, of names that are registered for the client.',
      source: 'https://github.com/ory/hydra/blob/master/fosite/audience_strategy.go',
    },
    {
      text: '"max_age" leads to the login page, which gets "acr_values".',
      source: 'https://github.com/ory/hydra/blob/master/consent/strategy_default.go',
    },
    {
      text: '"acr" is "0" if the login page names none.',
      source: 'https://github.com/ory/hydra/blob/master/fosite/handler/openid/strategy_jwt.go',
    },
  ],
} satisfies Profile;
