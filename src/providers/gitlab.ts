// GitLab: gitlab.com, or an instance of your own.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'GitLab',
  settings: { issuer: 'https://gitlab.com', scope: 'openid profile email', otherAccountPrompt: 'login' },
  asks: [],
  issuers: {
    example: 'https://gitlab.com',
    isDefault: true,
    patterns: [/^https:\/\/([^/]{1,100}\.)?gitlab\.[^/]{1,100}(\/|$)/],
    mistakes: [
      {
        pattern: /\/oauth(\/|$)/,
        advice:
          'That is an endpoint. The issuer is the address of the instance, such as "https://gitlab.com".',
      },
      { pattern: /^https:\/\/gitlab\.com\/$/, advice: 'Remove the slash at the end.' },
    ],
  },
  registration: {
    console: 'GitLab, "Applications" in the settings of a user, a group or the instance',
    steps: [
      'Add an application with the redirect URIs {redirectUri:chrome} and {redirectUri:firefox}, one in each line.',
      'Untick "Confidential".',
      'Tick the scopes {scopes}.',
      'Copy "Application ID" to "clientId".',
      'For an instance of your own, set "issuer" to its address.',
    ],
    origins: 'any',
  },
  limits: [
    {
      kind: 'scope-refused',
      text: 'A scope that the application doesn\'t have is refused, "offline_access" among them. A refresh token comes without it.',
    },
    { kind: 'no-logout', text: 'There is no page that ends the session at GitLab.' },
  ],
  read: '2026-11-22',
  facts: [
    {
      text: 'The code flow with PKCE serves public clients, and the endpoints for tokens, revocation and UserInfo allow other origins.',
      source: 'https://docs.gitlab.com/api/oauth2/',
    },
    {
      text: 'The discovery document is below the address of the instance.',
      source: 'https://docs.gitlab.com/integration/openid_connect_provider/',
    },
    {
      text: '"select_account" isn\'t set up, and ends in an error. "login" works.',
      source:
        'https://gitlab.com/gitlab-org/gitlab/-/blob/master/config/initializers/doorkeeper_openid_connect.rb',
      date: '2026-09',
    },
    {
      text: 'Each access token lives 2 hours and comes with a refresh token, for which no scope is asked.',
      source: 'https://gitlab.com/gitlab-org/gitlab/-/blob/master/config/initializers/doorkeeper.rb',
      date: '2026-11-28',
    },
    {
      text: 'A scope that isn\'t ticked fails with "invalid_scope". Not tried here.',
    },
  ],
} satisfies Profile;
