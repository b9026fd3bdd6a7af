// WeChat.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'WeChat',
  refusal:
    "WeChat redeems a code by a GET request with the app secret in its address, which isn't how OAuth 2 does it. Use a broker that knows it, or sign people in with a different provider.",
  issuers: {
    example: 'https://open.weixin.qq.com',
    patterns: [/^https:\/\/([^/]+\.)?weixin\.qq\.com(\/|$)/],
    mistakes: [],
  },
  registration: {
    console: 'WeChat Open Platform, "Management Center"',
    steps: ['Register the callback of your server there. Nothing of the extension is registered.'],
  },
  limits: [
    { kind: 'secret-wanted', text: 'The token endpoint requires a client secret.' },
    { kind: 'no-id-token', text: 'It is plain OAuth 2: there is no ID token.' },
  ],
  read: '2026-11-25',
  facts: [
    {
      how: 'read in another project',
      text: 'The token request is a GET with "appid" and "secret" in place of client ID and client secret.',
      source:
        'https://github.com/better-auth/better-auth/blob/main/packages/core/src/social-providers/wechat.ts',
    },
    {
      how: 'read in another project',
      text: 'So it is in the sign-in of Auth.js.',
      source: 'https://github.com/nextauthjs/next-auth/blob/main/packages/core/src/providers/wechat.ts',
    },
  ],
} satisfies Profile;
