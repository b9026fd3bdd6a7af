// VK ID.

import type { Profile } from './profile.ts';

export default {
  use: 'refused',
  title: 'VK ID',
  refusal:
    'VK ID redeems a code only together with the "device_id" of its redirect, a parameter of its own that the extension doesn\'t send. Use a broker that knows it, or sign people in with a different provider.',
  issuers: {
    example: 'https://id.vk.com',
    patterns: [/^https:\/\/([^/]+\.)?vk\.(com|ru)(\/|$)/],
    mistakes: [],
  },
  registration: {
    console: 'VK ID for business, "Applications"',
    steps: ['Register the callback of your server there. Nothing of the extension is registered.'],
  },
  limits: [
    {
      kind: 'other',
      text: 'Token and user requests carry parameters of VK alone, and the user API takes a POST request.',
    },
  ],
  read: '2026-11-25',
  facts: [
    {
      how: 'read in another project',
      text: 'The sign-in of Better Auth passes the "device_id" on to the token endpoint, and asks the user API by POST.',
      source: 'https://github.com/better-auth/better-auth/blob/main/packages/core/src/social-providers/vk.ts',
    },
  ],
} satisfies Profile;
