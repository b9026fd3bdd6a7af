// Linear.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'Linear',
  refusal:
    'Linear issues no ID token, and says who signed in only by its GraphQL API, which takes a POST request. Keep its tokens on a server of yours that the feature calls, and sign people in with a different provider.',
  issuers: {
    example: 'https://linear.app',
    patterns: [/^https:\/\/([^/]+\.)?linear\.app(\/|$)/],
    mistakes: [],
  },
  registration: {
    console: 'Linear, "Settings", "API", "OAuth applications"',
    steps: ['Register the callback of your server there. Nothing of the extension is registered.'],
  },
  limits: [
    { kind: 'no-id-token', text: 'There is no ID token, and no user API that responds to a GET request.' },
  ],
  read: '2026-11-25',
  facts: [
    {
      how: 'read in another project',
      text: 'The sign-in of Better Auth asks "https://api.linear.app/graphql" by POST who signed in.',
      source:
        'https://github.com/better-auth/better-auth/blob/main/packages/core/src/social-providers/linear.ts',
    },
    {
      text: 'The scopes are those of its API, and none is for an ID token.',
      source: 'https://linear.app/developers/oauth-2-0-authentication',
    },
  ],
} satisfies Profile;
