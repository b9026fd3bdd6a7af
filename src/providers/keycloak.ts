// Keycloak.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'Keycloak',
  settings: {},
  asks: [
    {
      setting: 'issuer',
      expected: 'the issuer of the realm, such as "https://id.example.com/realms/<realm>"',
    },
  ],
  issuers: {
    example: 'https://<host>/realms/<realm>',
    patterns: [/\/realms\/[^/]+/],
    mistakes: [
      {
        pattern: /\/protocol\/openid-connect/,
        advice: 'That is an endpoint. The issuer ends with the name of the realm: "…/realms/<realm>".',
      },
      {
        pattern: /\/realms\/[^/]+\/$/,
        advice: 'Remove the slash at the end.',
      },
      {
        pattern: /\/admin\//,
        advice: 'That is the admin console. The issuer is "https://<host>/realms/<realm>".',
      },
    ],
  },
  registration: {
    console: 'Keycloak admin console, "Clients" of the realm',
    steps: [
      'Create a client of the type "OpenID Connect".',
      'Switch "Client authentication" off, so that the client is public, and "Standard flow" on.',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Valid redirect URIs".',
      'Add both to "Valid post logout redirect URIs" too.',
      'Add {origin:chrome} to "Web origins". For Firefox only "*" works, because its origin is random in each installation.',
      'Under "Advanced", set "Proof Key for Code Exchange Code Challenge Method" to "S256".',
      'Copy "Client ID" to "clientId".',
    ],
  },
  limits: [
    {
      kind: 'origin-checked',
      text: 'Since 26.6.3 and 26.4.13, Keycloak answers 403 to an origin that "Web origins" does not list, at every endpoint that the worker calls. "+" stands for the hosts of the redirect URIs, and does not cover the origin of an extension.',
    },
  ],
  facts: [
    {
      how: 'read in another project',
      text: 'An origin that is not listed is refused with 403, host permission or not.',
      source: 'https://github.com/keycloak/keycloak/issues/51831',
      date: '2026-09-20',
    },
    {
      how: 'from memory',
      text: 'The admin console may refuse "chrome-extension:" as a web origin; nobody has tried.',
      date: '2026-11-22',
    },
  ],
} satisfies Profile;
