// Asks for a provider's discovery document. If the configuration does not fit it, says how to correct that, and goes on as
// if it were corrected, so that one run finds most mistakes.

import { customFetch } from 'oauth4webapi';
import { checkIssuer, checkIssuerTemplate, tenantPlaceholder } from '../../src/config/url.ts';
import { toProviderOrigins } from '../../src/config/origins.ts';
import type { Provider } from '../../src/config/provider.ts';
import {
  isPushed,
  readMetadata,
  requestDocument,
  toMembers,
  type DiscoveryDocument,
  type Metadata,
} from '../../src/oidc/discover.ts';
import { readJsonAnswer } from '../../src/oidc/exchange.ts';
import { isAdvertisable } from '../../src/oidc/issuer.ts';
import { createProviderClient, type ProviderClient } from '../../src/oidc/provider-client.ts';
import { trusted, words } from '../../src/session/detail.ts';
import { isSecureUrl } from '../../src/session/secure-url.ts';
import {
  documentRows,
  hostRow,
  leftOutRows,
  undiscoveredRows,
  type IssuerEvidence,
  type OtherDocument,
} from './discovery-findings.ts';
import { readFailure } from './failure.ts';
import { findAll, findFirst, type Finding } from './finding.ts';
import { createDoctorWorld, type Gate } from './world.ts';

type Members = Readonly<Record<string, unknown>>;

/** The result of discovery. */
export type Discovered =
  | {
      readonly status: 'found';
      /** The provider with its settings corrected. */
      readonly provider: Provider;
      /** The members of the document; empty if the configuration makes it unnecessary. */
      readonly document: Members;
      readonly metadata: Metadata;
      readonly findings: readonly Finding[];
      readonly skewSeconds: number | null;
    }
  | { readonly status: 'failed'; readonly findings: readonly Finding[] };

/** Asks for the metadata of a provider, as the extension does. */
export async function askDiscovery(provider: Provider, gate: Gate): Promise<Discovered> {
  const world = createDoctorWorld(gate);
  const client = createProviderClient(world, provider);
  try {
    const document = await requestDocument(client);
    return { ...readDocument(provider, document), skewSeconds: client.skewSeconds() };
  } catch (error) {
    const failure = readFailure(error, world);
    const isMissing = failure.status === 404 || failure.status === 410;
    const other = isMissing ? await searchDocument(client) : null;
    return { status: 'failed', findings: findFirst(undiscoveredRows, { ...failure, isMissing, other }) };
  }
}

/** An issuer has few parts. */
const maxParents = 6;

/** Asks below the parents of the configured issuer, the nearest first. Returns null if there is no document. */
async function searchDocument(client: ProviderClient): Promise<OtherDocument | null> {
  const { origin, pathname } = new URL(client.provider.issuer);
  const parts = pathname.split('/').filter(Boolean).slice(0, maxParents);
  const parents = parts.map((_part, index) => [origin, ...parts.slice(0, index)].join('/')).toReversed();
  const [oauth = null, ...above] = await Promise.all([
    readIssuer(client, `${origin}/.well-known/oauth-authorization-server${pathname.replace(/\/$/, '')}`),
    ...parents.map((parent) => readIssuer(client, `${parent}/.well-known/openid-configuration`)),
  ]);
  const issuer = above.find((named) => named !== null) ?? null;
  if (issuer !== null) return { kind: 'issuer', issuer };
  return oauth === null ? null : { kind: 'oauth', issuer: oauth };
}

/** Returns the issuer that a document names; null if there is no such document. */
async function readIssuer({ options }: ProviderClient, url: string): Promise<string | null> {
  try {
    const document = await readJsonAnswer(
      words`discovery`,
      trusted(url),
      await options[customFetch](url, {}),
    );
    const { issuer, token_endpoint: endpoint } = (document ?? {}) as Members;
    return typeof issuer === 'string' && typeof endpoint === 'string' ? issuer : null;
  } catch {
    return null; // A guess that was wrong. The caller has the failure of the configured address.
  }
}

/** Reads the document with corrected settings. Throws a `ProblemError` if no setting could help. */
function readDocument(provider: Provider, document: DiscoveryDocument) {
  const members = toMembers(document);
  const issuer = compareIssuer(provider, members);
  const endpoints: Members = { ...members, ...provider.metadata };
  const missing = findMissingOrigins(issuer.corrected, endpoints);
  const origins = [...issuer.corrected.origins, ...missing];
  const corrected = { ...issuer.corrected, origins };
  const metadata = readMetadata(document, corrected);
  const leftOut = metadata.leftOutEndpoints ?? [];
  return {
    status: 'found' as const,
    provider: corrected,
    document: members,
    metadata,
    findings: [
      ...findAll(documentRows, { ...issuer, document, missing }),
      ...missing.flatMap((origin) => findAll([hostRow], { origin, origins })),
      ...leftOut.flatMap((name) =>
        findFirst(leftOutRows, { name, origin: toOrigin(endpoints[name]), origins }),
      ),
    ],
  };
}

/** The longest text that a configuration may have. */
const maxTextLength = 2000;

function compareIssuer(configured: Provider, { issuer: named }: Members): IssuerEvidence {
  const { issuer, discoveryUrl, origins } = configured;
  const fits = { mistake: 'none', configured, named: issuer, corrected: configured } as const;
  if (typeof named !== 'string' || named.length > maxTextLength || isAdvertisable(configured, named)) {
    return fits;
  }
  if (named.includes(tenantPlaceholder)) {
    if (checkIssuerTemplate(named) !== null) return fits;
    return { ...fits, mistake: 'template', named, corrected: { ...configured, issuerTemplate: named } };
  }
  if (checkIssuer(named) !== null) return fits;
  const corrected = { ...configured, issuer: named };
  const withoutSlash = (address: string) => address.replace(/\/$/, '');
  if (discoveryUrl !== null || withoutSlash(named) === withoutSlash(issuer)) {
    return { ...fits, mistake: 'spelling', named, corrected };
  }
  const { origin } = new URL(issuer);
  const place = `${withoutSlash(issuer)}/.well-known/openid-configuration`;
  const isReached = toProviderOrigins(corrected).includes(origin);
  const reaching = { discoveryUrl: place, origins: isReached ? origins : [...origins, origin] };
  return { ...fits, mistake: 'other', named, corrected: { ...corrected, ...reaching } };
}

/** The origins of the endpoints that a sign-in needs and the extension may not reach. */
function findMissingOrigins(provider: Provider, endpoints: Members): readonly string[] {
  const needed = [
    ...(provider.responseType === 'code' ? ['token_endpoint'] : []),
    ...(provider.userApi === null ? ['jwks_uri'] : []),
    ...(isPushed(provider, endpoints as unknown as Metadata)
      ? ['pushed_authorization_request_endpoint']
      : []),
  ];
  const reached = toProviderOrigins(provider);
  const origins = needed.map((name) => toOrigin(endpoints[name])).filter((origin) => origin !== null);
  return [...new Set(origins)].filter((origin) => !reached.includes(origin));
}

/** A host has at most 253 characters. */
const maxOriginLength = 300;

/** Null for what is no safe address. */
function toOrigin(address: unknown): string | null {
  if (typeof address !== 'string' || !isSecureUrl(address)) return null;
  const { origin } = new URL(address);
  return origin.length <= maxOriginLength ? origin : null;
}
