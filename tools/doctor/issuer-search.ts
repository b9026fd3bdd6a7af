// Looks for the issuer that was meant, if there is no discovery document below the configured one.

import { customFetch } from 'oauth4webapi';
import { expectJson } from '../../src/oidc/exchange.ts';
import type { ProviderClient } from '../../src/oidc/provider-client.ts';
import { trusted, words } from '../../src/session/detail.ts';

/** A document that was found in place of the one below the issuer. */
export type Found =
  /** A discovery document of this issuer, above the configured address. */
  | { readonly kind: 'issuer'; readonly issuer: string }
  /** A server of plain OAuth 2 (RFC 8414), which has no discovery document of OpenID Connect. */
  | { readonly kind: 'oauth' };

/** An issuer has few parts. */
const maxParents = 6;

/** Asks below the parents of the configured issuer, the nearest first. Returns null if there is no document. */
export async function searchIssuer(client: ProviderClient): Promise<Found | null> {
  const { issuer } = client.provider;
  const { origin, pathname } = new URL(issuer);
  const [oauth, ...parents] = await Promise.all([
    readIssuer(client, `${origin}/.well-known/oauth-authorization-server${pathname.replace(/\/$/, '')}`),
    ...toParents(issuer).map((parent) => readIssuer(client, `${parent}/.well-known/openid-configuration`)),
  ]);
  const found = parents.find((named) => named !== null);
  if (found !== undefined && found !== null) return { kind: 'issuer', issuer: found };
  return oauth === null ? null : { kind: 'oauth' };
}

/** The addresses above an issuer: of `https://a.example/b/c` they are `https://a.example/b` and `https://a.example`. */
function toParents(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const parts = pathname.split('/').filter(Boolean).slice(0, maxParents);
  return parts.map((_part, index) => [origin, ...parts.slice(0, index)].join('/')).toReversed();
}

/** Returns the issuer that a document names; null if there is no such document. */
async function readIssuer({ options }: ProviderClient, url: string): Promise<string | null> {
  try {
    const document = await expectJson(words`discovery`, trusted(url), await options[customFetch](url, {}));
    const { issuer, token_endpoint: endpoint } = (document ?? {}) as Readonly<Record<string, unknown>>;
    return typeof issuer === 'string' && typeof endpoint === 'string' ? issuer : null;
  } catch {
    return null; // A guess that was wrong. The caller has reported the failure of the configured address.
  }
}
