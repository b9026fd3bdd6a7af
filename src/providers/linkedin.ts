// Sign In with LinkedIn.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'LinkedIn',
  refusal:
    "LinkedIn requires a client secret, and its ID tokens don't repeat the nonce. Put a broker that you run or can host (such as Keycloak, Auth0, Dex or Zitadel) in between, and configure the broker as the provider.",
  issuers: {
    example: 'https://www.linkedin.com/oauth',
    patterns: [/^https:\/\/([^/]+\.)?linkedin\.com(\/|$)/],
    mistakes: [],
  },
  registration: {
    console: 'LinkedIn Developer Portal, "My apps"',
    steps: ['Register the callback of your broker there. Nothing of the extension is registered.'],
  },
  limits: [
    {
      kind: 'secret-wanted',
      text: 'The token endpoint requires a client secret, and refuses a code verifier with it, unless LinkedIn has enabled PKCE for a native app. That one is redirected to loopback addresses alone.',
    },
    {
      kind: 'other',
      text: 'ID tokens have no nonce, which an extension needs to know that a token is the response to its own request.',
    },
  ],
  read: '2026-11-22',
  facts: [
    {
      text: 'LinkedIn enables a flow with PKCE for native apps, one by one, and redirects them to loopback addresses alone.',
      source:
        'https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow-native',
      date: '2026-11-28',
    },
    {
      how: 'read in another project',
      text: 'In August 2025, ID tokens still had no nonce.',
      source: 'https://github.com/oqtane/oqtane.framework/issues/5532',
      date: '2026-11-28',
    },
    {
      how: 'read in another project',
      text: 'ID tokens have no nonce.',
      source: 'https://github.com/authlib/authlib/issues/763',
    },
    {
      how: 'read in another project',
      text: 'The same, in the extension of another library.',
      source: 'https://github.com/python-social-auth/social-core/pull/833',
    },
    {
      how: 'read in another project',
      text: 'The issuer of ID tokens has changed before.',
      source: 'https://github.com/keycloak/keycloak/issues/28686',
    },
    {
      how: 'read in another project',
      text: 'PKCE leads to "invalid_client".',
      source: 'https://github.com/nextauthjs/next-auth/issues/8831',
    },
  ],
} satisfies Profile;
