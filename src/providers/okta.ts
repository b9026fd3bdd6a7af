// Okta.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Okta',
  settings: { otherAccountPrompt: 'login' },
  asks: [
    {
      setting: 'issuer',
      expected:
        'the issuer of your authorization server, such as "https://<organization>.okta.com/oauth2/default"',
    },
  ],
  issuers: {
    example: 'https://<organization>.okta.com/oauth2/default',
    patterns: [/^https:\/\/[^/]+\.(okta|oktapreview|okta-emea)\.com(\/|$)/],
    mistakes: [
      {
        pattern: /-admin\.(okta|oktapreview)\.com/,
        advice: 'That is the admin console. Remove "-admin" from the host.',
      },
      { pattern: /\/v1\/(authorize|token)/, advice: 'That is an endpoint. The issuer ends before "/v1".' },
      {
        pattern: /\.(okta|oktapreview|okta-emea)\.com(\/oauth2\/[^/]{1,100})?\/$/,
        advice: 'Remove the slash at the end.',
      },
    ],
  },
  registration: {
    console: 'Okta admin console, "Applications"',
    steps: [
      'Create an app integration: "OIDC - OpenID Connect", "Single-Page Application".',
      'Tick the grant types "Authorization Code" and "Refresh Token".',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Sign-in redirect URIs" and to "Sign-out redirect URIs".',
      'Assign the people or groups who may sign in.',
      'Copy the issuer of the authorization server ("Security", "API") to "issuer".',
      'Copy "Client ID" to "clientId".',
    ],
  },
  limits: [
    {
      kind: 'other',
      text: '"select_account" is not among the documented prompts. "Use another account" asks for "login" instead.',
    },
  ],
  facts: [
    {
      how: 'from memory',
      text: 'The issuer is that of the organization, or ends in "/oauth2/default" or the id of another authorization server. Not tried here.',
      date: '2026-11-22',
    },
  ],
} satisfies Profile;
