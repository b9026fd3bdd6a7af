// ORCID: sign-in with an ID token alone.

import type { Profile } from './profile.ts';

export default {
  use: 'preset',
  title: 'ORCID',
  settings: {
    issuer: 'https://orcid.org',
    scope: 'openid',
    responseType: 'id_token',
    apiToken: 'id_token',
  },
  asks: [],
  issuers: {
    example: 'https://orcid.org',
    patterns: [/^https:\/\/([^/]+\.)?orcid\.org(\/|$)/],
    mistakes: [
      {
        pattern: /^https:\/\/([^/]+\.)?orcid\.org\//,
        advice: 'The issuer is "https://orcid.org", without a path or a slash.',
      },
    ],
  },
  registration: {
    console: 'ORCID, "Developer tools"',
    steps: [
      'Register for the public API.',
      'Add {redirectUri:chrome} and {redirectUri:firefox} to "Redirect URIs".',
      'Use no client secret: the sign-in needs none.',
      'Copy "Client ID" to "clientId".',
      'Let your API verify the ID token: its audience is the client ID.',
    ],
  },
  limits: [
    {
      kind: 'secret-wanted',
      text: 'A code is redeemed only with a client secret, so the sign-in asks for an ID token alone. For the APIs of ORCID a relay is needed: docs/relay.md.',
    },
    {
      kind: 'no-refresh-token',
      text: 'There is no refresh token. ORCID renews the sign-in silently while the person is signed in there. Otherwise its response is a bare "#login_required".',
    },
    {
      kind: 'scope-refused',
      text: 'The only scope for a sign-in is "openid".',
    },
    { kind: 'no-logout', text: 'There is no page that ends the session by a request of a client.' },
    {
      kind: 'verified-email-missing',
      text: 'ID tokens have the ORCID iD and the name, and no email.',
    },
    {
      kind: 'other',
      text: 'ORCID\'s own widget asks for "token", whose response also has an access token. ORCID replaced its authorization server in 2026. Whether it still supports "id_token" alone, and without an access token, wasn\'t tried. With one, Latchkey rejects the sign-in.',
    },
  ],
  read: '2026-11-25',
  facts: [
    {
      how: 'read in another project',
      text: 'With "prompt=none" and the scope "openid", the front end of October 2026 responds silently if the person is signed in. Otherwise it redirects with the fragment "login_required", without a parameter "error".',
      source: 'https://github.com/nemarOrg/orcid-mock',
      date: '2026-11-28',
    },
    {
      text: 'Discovery names the response types "code", "id_token" and "id_token token", the scope "openid", the claims name, given_name and family_name, and authentication with a client secret alone.',
      source:
        'https://github.com/ORCID/ORCID-Source/blob/main/orcid-core/src/main/java/org/orcid/core/oauth/openid/OpenIDConnectDiscoveryService.java',
    },
    {
      text: 'The widget of ORCID signs people in without a secret, with a nonce and a state, and verifies an ID token with RS256 and the issuer from the fragment.',
      source: 'https://github.com/ORCID/orcid-auth-widget/blob/master/orcid-widget.js',
    },
    {
      text: 'A client of the public API is enough, and the implicit flow grants no permission to write.',
      source: 'https://github.com/ORCID/orcid-auth-widget',
    },
  ],
} satisfies Profile;
