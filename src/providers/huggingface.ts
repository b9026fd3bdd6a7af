// Hugging Face.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Hugging Face',
  settings: { issuer: 'https://huggingface.co', scope: 'openid profile email' },
  asks: [],
  issuers: {
    example: 'https://huggingface.co',
    patterns: [/^https:\/\/(huggingface\.co|hf\.co)(\/|$)/],
    mistakes: [
      {
        pattern: /^https:\/\/huggingface\.co\/.*/,
        advice: 'The issuer is "https://huggingface.co", without a path or a slash.',
      },
      { pattern: /^https:\/\/hf\.co/, advice: 'The issuer is "https://huggingface.co".' },
    ],
  },
  registration: {
    console: 'Hugging Face, "Settings", "Connected Apps"',
    steps: [
      'Create an app, and make it public (without a secret).',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to the redirect URLs.',
      'Select the scopes {scopes}.',
      'Copy "Client ID" to "clientId".',
    ],
  },
  limits: [
    {
      kind: 'no-revocation',
      text: 'The discovery document names no endpoint that revokes a token. A sign-out deletes it on this device only.',
    },
    { kind: 'scope-refused', text: '"offline_access" isn\'t among the documented scopes.' },
    { kind: 'no-logout', text: 'There is no page that ends the session at Hugging Face.' },
  ],
  read: '2026-11-25',
  facts: [
    {
      text: 'The scopes are openid, profile, email and those of its APIs. An app without a secret signs in with PKCE, or with the device flow. Redirect URLs are compared exactly.',
      source: 'https://github.com/huggingface/hub-docs/blob/main/docs/hub/oauth.md',
    },
    {
      how: 'read in another project',
      text: 'An old example left "openid" out because the nonce wasn\'t repeated then. Not tried here.',
      source:
        'https://huggingface.co/spaces/templates/gradio-oauth/blame/16e86209e52cf26cc9101011f85a90d82c4f0d8c/auth.py',
      date: '2026-11-22',
    },
    {
      how: 'read in another project',
      text: 'The metadata, as fetched in June 2026, name the grant "refresh_token", RS256, PKCE with S256 and a device endpoint, and no endpoint for revocation. Of the authentication methods they list those with a secret alone, although an app can do without. Whether a refresh token comes isn\'t known.',
      source:
        'https://github.com/api-evangelist/hugging-face-transformers/blob/main/well-known/hugging-face-transformers-oauth-authorization-server.json',
      date: '2026-11-28',
    },
  ],
} satisfies Profile;
