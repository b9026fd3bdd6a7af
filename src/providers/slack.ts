// Sign in with Slack.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'Slack',
  refusal:
    'As far as its documents say, Slack lets an application without a secret refresh its tokens only with a redirect to a scheme of its own or to "localhost". With an https address, its sign-in redeemed no code without a secret in another project. Put a broker that you run or can host (such as Keycloak, Auth0, Dex or Zitadel) in between, and configure the broker as the provider. Without a broker, use the token relay of docs/relay.md, and no profile.',
  issuers: {
    example: 'https://slack.com',
    patterns: [/^https:\/\/([^/]+\.)?slack(-gov)?\.com(\/|$)/],
    mistakes: [
      { pattern: /^https:\/\/slack\.com\/.+/, advice: 'The issuer is "https://slack.com", without a path.' },
    ],
  },
  registration: {
    console: 'Slack API, "Your Apps"',
    steps: ['Register the callback of your broker there. Nothing of the extension is registered.'],
  },
  limits: [
    {
      kind: 'secret-wanted',
      text: 'The documents let an application without a secret refresh its tokens only if its redirect has a scheme of its own or goes to "localhost". The redirect of an extension does neither.',
    },
    { kind: 'refresh-token-ends', text: 'Refresh tokens of an application with PKCE end after 30 days.' },
    { kind: 'other', text: 'Errors come with status 200.' },
  ],
  read: '2026-11-22',
  facts: [
    {
      text: 'Refreshing without a secret is described for custom URI schemes and "localhost".',
      source: 'https://docs.slack.dev/authentication/using-pkce',
    },
    {
      text: 'PKCE is generally available since 30 March 2026, makes an application public for good, and lets refresh tokens expire after 30 days.',
      source: 'https://docs.slack.dev/changelog/2026/03/30/pkce',
    },
    {
      how: 'read in another project',
      text: 'With an https address, "openid.connect.token" responded to a code without a secret with "bad_client_secret", and one of an application with PKCE with "internal_error".',
      source: 'https://github.com/paradigmxyz/centaur/pull/1101',
      date: '2026-11-28',
    },
    {
      text: 'Errors come with status 200.',
    },
  ],
} satisfies Profile;
