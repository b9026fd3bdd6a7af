// The shapes of servers that small teams and communities host.

import { toDocument } from '../document.ts';
import type { Shape } from '../shape.ts';

/** Gitea, and Forgejo, which comes from it. */
function toForge(profile: string, issuer: string, url: string): Shape {
  return {
    profile,
    team: { issuer },
    source: { url, date: '2026-11-25' },
    document: toDocument(issuer, issuer.replace(/\/$/, ''), {
      authorize: '/login/oauth/authorize',
      token: '/login/oauth/access_token',
      keys: '/login/oauth/keys',
      userInfo: '/login/oauth/userinfo',
    }),
    isOffline: () => true,
    reusable: true,
    response: { token_type: 'bearer' },
    claims: { aud: ['client-1'] },
    silent: 'ignored',
    prompts: [],
    otherPrompts: 'ignored',
    expected: {
      anotherAccount: 'same account',
      spentToken: 'renewed',
      silentSignIn: 'page shown',
      revocation: 'unsupported',
      logout: 'none',
    },
    // The scope protects the person's repositories: without it the token may do more.
    idleSettings: ['scope'],
  };
}

export const smallServers: readonly Shape[] = [
  toForge(
    'gitea',
    'https://git.acme.example/',
    'https://github.com/go-gitea/gitea/blob/main/routers/web/auth/oauth2_provider.go',
  ),
  toForge(
    'forgejo',
    'https://forge.acme.example',
    'https://github.com/creator-signal/fork-forgejo-forgejo/blob/forgejo/routers/web/auth/oauth.go',
  ),
];
