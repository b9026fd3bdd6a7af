// The shapes of services and servers with which a company signs in its own people.

import { toDocument } from '../document.ts';
import type { Shape } from '../shape.ts';

export const workforce: readonly Shape[] = [
  {
    profile: 'jumpcloud',
    team: { issuer: 'https://oauth.id.jumpcloud.com/' },
    source: { url: 'https://github.com/rustdesk/rustdesk-server-pro/issues/562', date: '2026-11-25' },
    document: toDocument('https://oauth.id.jumpcloud.com/', 'https://oauth.id.jumpcloud.com', {
      authorize: '/oauth2/auth',
      token: '/oauth2/token',
      keys: '/.well-known/jwks.json',
      userInfo: '/userinfo',
      revoke: '/oauth2/revoke',
      logout: '/oauth2/sessions/logout',
    }),
    // As at Ory, whose Hydra seems to be behind it.
    claims: { aud: ['client-1'] },
    response: { token_type: 'bearer' },
    prompts: ['none', 'login', 'consent'],
    logout: { required: ['id_token_hint', 'post_logout_redirect_uri'], repeatsState: true },
  },
  {
    profile: 'onelogin',
    team: { issuer: 'https://acme.onelogin.com/oidc/2' },
    source: { url: 'https://developers.onelogin.com/openid-connect/api/provider-config', date: '2026-11-25' },
    document: toDocument('https://acme.onelogin.com/oidc/2', 'https://acme.onelogin.com/oidc/2', {
      authorize: '/auth',
      token: '/token',
      keys: '/certs',
      userInfo: '/me',
      revoke: '/token/revocation',
      logout: '/logout',
    }),
    prompts: ['none', 'login'],
    isOffline: () => true,
    offlineConsent: true,
  },
  {
    profile: 'duo',
    team: { issuer: 'https://sso-abcdef01.sso.duosecurity.com/oidc/client-1' },
    source: {
      url: 'https://oauth2-proxy.github.io/oauth2-proxy/configuration/providers/cisco_duo',
      date: '2026-11-25',
    },
    document: toDocument(
      'https://sso-abcdef01.sso.duosecurity.com/oidc/client-1',
      'https://sso-abcdef01.sso.duosecurity.com/oidc/client-1',
      { authorize: '/authorize', token: '/token', keys: '/jwks', userInfo: '/userinfo' },
    ),
    expected: { revocation: 'unsupported', logout: 'none' },
  },
  {
    profile: 'forgerock',
    team: { issuer: 'https://acme.forgeblocks.com:443/am/oauth2/alpha' },
    source: { url: 'https://github.com/OpenIdentityPlatform/OpenAM', date: '2026-11-25' },
    document: toDocument(
      'https://acme.forgeblocks.com:443/am/oauth2/alpha',
      'https://acme.forgeblocks.com:443/am/oauth2/alpha',
      {
        authorize: '/authorize',
        token: '/access_token',
        keys: '/connect/jwk_uri',
        userInfo: '/userinfo',
        revoke: '/token/revoke',
        logout: '/connect/endSession',
      },
    ),
    // The scopes of the client, as its page says to register them.
    scopes: ['openid', 'profile', 'email'],
    prompts: ['none', 'login', 'consent'],
    isOffline: () => true,
    origin: 'listed',
    logout: { required: ['id_token_hint', 'post_logout_redirect_uri'], repeatsState: true },
  },
  {
    profile: 'pingfederate',
    team: { issuer: 'https://sso.acme.example' },
    source: {
      url: 'https://docs.pingidentity.com/pingfederate/13.1/developers_reference_guide/pf_openid_connect_rp_logout_endpoint.html',
      date: '2026-11-25',
    },
    document: toDocument('https://sso.acme.example', 'https://sso.acme.example', {
      authorize: '/as/authorization.oauth2',
      token: '/as/token.oauth2',
      keys: '/pf/JWKS',
      userInfo: '/idp/userinfo.openid',
      revoke: '/as/revoke_token.oauth2',
      logout: '/idp/init_logout.openid',
      par: '/as/par.oauth2',
    }),
    prompts: ['none', 'login', 'consent'],
    isOffline: () => true,
    keepsRefreshTokens: true,
    logout: { required: ['id_token_hint', 'post_logout_redirect_uri'], repeatsState: true },
    expected: { spentToken: 'renewed' },
  },
];
