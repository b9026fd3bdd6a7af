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
    patterns: [/^https:\/\/[^/]+\.((okta|oktapreview|okta-emea|okta-gov)\.com|okta\.mil)(\/|$)/],
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
    console: 'Okta admin console, "Applications and Resources", "Applications"',
    steps: [
      'Choose "Create App Integration" (and "Classic experience", if asked), "OIDC - OpenID Connect" and "Single-Page Application".',
      'Tick the grant types "Authorization Code" and "Refresh Token".',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Sign-in redirect URIs" and to "Sign-out redirect URIs".',
      'Assign the people or groups who may sign in.',
      'Copy the issuer of the authorization server ("Security", "API") to "issuer".',
      'Give that authorization server an access policy for the client, with a rule that covers the scopes {scopes}. That of the organization needs none.',
      'Copy "Client ID" to "clientId".',
    ],
  },
  limits: [
    {
      kind: 'other',
      text: 'An authorization server below "/oauth2/", "default" included, needs the product API Access Management. Without it the issuer is "https://<organization>.okta.com", whose access tokens only Okta can verify.',
    },
    {
      kind: 'other',
      text: 'A refresh token expires after 7 days without use, and at the end of the lifetime in the access policy, which is unlimited by default. Rotation adds nothing. If you limit it, set "refreshTokenSeconds" to the same.',
    },
    {
      kind: 'other',
      text: '"select_account" isn\'t among the documented prompts. "Use another account" asks for "login" instead.',
    },
    {
      kind: 'other',
      text: "The link in a sign-in email opens a tab, which can't return to the extension. Have people type the code in that email.",
    },
  ],
  apis: {
    by: 'resource',
    text: 'A custom authorization server takes several resources since August 2026, for organizations with "Okta for AI Agents" and agent-to-agent connections. Elsewhere it has one audience: list the origins of all your APIs in "apiOrigins".',
  },
  stepUp: {
    by: ['acr_values', 'max_age'],
    text: 'The values are "urn:okta:loa:2fa:any", "phr" and others of a list. Okta ignores any other, and the sign-in is then rejected.',
  },
  read: '2026-11-28',
  facts: [
    {
      text: 'The issuer is that of the organization, or ends in "/oauth2/default" or the id of another authorization server. Those need API Access Management, or a free plan for integrators, whose "default" has no access policy yet.',
      source: 'https://developer.okta.com/docs/concepts/auth-servers/',
    },
    {
      text: 'If no rule of an access policy covers all scopes of the request, it fails with "Policy evaluation failed for this request".',
      source:
        'https://support.okta.com/help/s/article/tokens-not-issued-with-lifetime-configured-in-access-rule-for-custom-authorization-server',
    },
    {
      text: 'Single-page applications are created under "Applications and Resources", and have rotation by default.',
      source: 'https://developer.okta.com/docs/guides/sign-into-spa-redirect/',
    },
    {
      text: 'A rotated token stays valid for 30 seconds by default, and 0 to 60 can be set. A later use of it revokes the newest one. Rotation keeps the end of the first token. The lifetime is unlimited by default, and 7 days without use end a token.',
      source: 'https://developer.okta.com/docs/guides/refresh-tokens/main/',
    },
    {
      text: 'The prompts are "none", "login" and "consent".',
      source:
        'https://github.com/okta/okta-oidc-android/blob/master/library/src/main/java/com/okta/oidc/net/params/Prompt.java',
    },
    {
      text: 'Authorization and token endpoints of custom authorization servers take several "resource" parameters, and a refresh token brings a token for one of them. Generally available in preview organizations since 12 August 2026.',
      source: 'https://developer.okta.com/docs/release-notes/2026-okta-identity-engine/',
      date: '2026-11-25',
    },
    {
      text: 'Each custom authorization server has scopes of its own. That of the organization issues tokens for Okta alone.',
      source: 'https://developer.okta.com/docs/concepts/auth-servers/',
      date: '2026-11-25',
    },
    {
      text: 'ID tokens have "acr" and "auth_time". If the person has no such factor, the response is "unmet_authentication_requirements". Classic Engine takes "max_age" of 1 in place of 0.',
      source: 'https://developer.okta.com/docs/guides/step-up-authentication/main/',
      date: '2026-11-25',
    },
    {
      text: 'The email authenticator sends a code and a link.',
      source: 'https://developer.okta.com/docs/guides/pwd-optional-sign-in-email/nodeexpress/main',
    },
  ],
} satisfies Profile;
