// GitHub: the device flow.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'GitHub',
  settings: {
    issuer: 'https://github.com',
    scope: 'read:user user:email',
    origins: ['https://api.github.com'],
    deviceFlow: 'only',
    metadata: {
      authorization_endpoint: 'https://github.com/login/oauth/authorize',
      token_endpoint: 'https://github.com/login/oauth/access_token',
      device_authorization_endpoint: 'https://github.com/login/device/code',
    },
    userApi: {
      url: 'https://api.github.com/user',
      subject: 'id',
      name: 'name',
      email: 'email',
      emailVerified: null,
      picture: 'avatar_url',
      headers: { accept: 'application/vnd.github+json' },
    },
  },
  asks: [],
  issuers: {
    example: 'https://github.com',
    patterns: [
      /^https:\/\/((api\.)?github\.com|[^/]+\.ghe\.com)(\/|$)/,
      /^https:\/\/token\.actions\.githubusercontent\.com(\/|$)/,
    ],
    mistakes: [
      {
        pattern: /token\.actions\.githubusercontent\.com/,
        advice: 'That issuer is for the jobs of GitHub Actions. It signs no person in.',
      },
    ],
  },
  registration: {
    console: 'GitHub, "Developer settings", "OAuth Apps"',
    steps: [
      'Register an OAuth app, or a GitHub App with "Expire user authorization tokens", and tick "Enable Device Flow".',
      "Write any address of yours as its callback: {redirectUri:chrome} or {redirectUri:firefox} will do, because the device flow doesn't use it.",
      'Create no client secret.',
      'Copy "Client ID" to "clientId".',
    ],
  },
  limits: [
    {
      kind: 'no-id-token',
      text: 'GitHub is plain OAuth 2. Its user API says who signed in, and nothing signs that response.',
    },
    {
      kind: 'secret-wanted',
      text: "The code flow requires a client secret, even with PKCE. The device flow doesn't.",
    },
    {
      kind: 'no-refresh-token',
      text: "The tokens of an OAuth app don't end, and there is no refresh token. Those of a GitHub App end.",
    },
    {
      kind: 'no-revocation',
      text: 'There is no revocation endpoint of the standard, so a sign-out deletes the token on this device only. A token that has leaked can be revoked by anyone who has it: POST https://api.github.com/credentials/revoke with {"credentials":["<token>"]}, at most 60 times an hour. GitHub mails the owner then.',
    },
    { kind: 'no-logout', text: 'There is no page that ends the session at GitHub.' },
    { kind: 'other', text: 'The email is missing if the person keeps it private.' },
    {
      kind: 'other',
      text: 'A GitHub App with expiring tokens is better than an OAuth app: its tokens last 8 hours, and its refresh token 6 months, without a secret if it came by the device flow.',
    },
  ],
  read: '2026-11-22',
  facts: [
    {
      text: 'Since March 2026, the API that revokes leaked credentials takes the tokens of OAuth apps (gho_), and the tokens (ghu_) and refresh tokens (ghr_) of GitHub Apps, without authentication.',
      source:
        'https://github.blog/changelog/2026-03-26-credential-revocation-api-now-supports-github-oauth-and-github-app-credentials',
      date: '2026-11-28',
    },
    {
      text: "GitHub doesn't tell public clients from others, and recommends PKCE without requiring it.",
      source: 'https://github.blog/changelog/2025-07-14-pkce-support-for-oauth-and-github-app-authentication',
    },
    {
      text: 'The device flow exists for applications without a browser.',
      source: 'https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps',
    },
    {
      text: 'A GitHub App lets its tokens expire unless it opts out: after 8 hours, and the refresh token after 6 months, which is used once. Renewing tokens that came by the device flow needs no secret.',
      source:
        'https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/refreshing-user-access-tokens',
      date: '2026-11-25',
    },
    {
      text: 'The token endpoint reports an error with status 200, and JSON only if "Accept" asks for it. Not tried here.',
    },
  ],
} satisfies Profile;
