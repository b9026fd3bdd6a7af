// Asks for a provider's discovery document. If the configuration contradicts it, says how to correct the configuration, and goes
// on as if that were done, so that one run finds most mistakes.

import { checkIssuer, checkIssuerTemplate, tenantPlaceholder } from '../../src/config/url.ts';
import { toProviderOrigins } from '../../src/config/manifest.ts';
import type { Provider } from '../../src/config/provider.ts';
import {
  isPushed,
  readMetadata,
  requestDocument,
  toMembers,
  toNeeds,
  toTyped,
  type DiscoveryDocument,
  type Metadata,
  type OptionalEndpoint,
  isAdvertisable,
} from '../../src/oidc/discover.ts';
import { readJsonAnswer, type ProviderClient } from '../../src/oidc/http.ts';
import { safe, detail } from '../../src/session/detail.ts';
import { ProblemError } from '../../src/session/problem.ts';
import { isSecureUrl } from '../../src/session/secure-url.ts';
import { readFailure, unansweredRow, type Answer } from './answer.ts';
import { findFirst, quoteAnswer, quoteSettings, rowsFor, type Finding } from './finding.ts';
import { createClient, type Gate } from './world.ts';

type Members = Readonly<Record<string, unknown>>;

/** A provider that can be asked. */
export interface Subject {
  readonly gate: Gate;
  /** The provider with its settings corrected. */
  readonly provider: Provider;
  /** The members of its document about itself; empty if the configuration makes it unnecessary. */
  readonly document: Members;
  readonly metadata: Metadata;
}

/** Asks for the metadata of a provider, as the extension does. `subject` is null without a usable document. */
export async function askDiscovery(
  provider: Provider,
  gate: Gate,
): Promise<{ readonly subject: Subject | null; readonly findings: readonly Finding[] }> {
  const client = createClient(gate, provider);
  let members: Members = {};
  try {
    const document = await requestDocument(client);
    members = toMembers(document);
    const { findings, ...read } = readDocument(provider, document);
    return { subject: { gate, ...read }, findings };
  } catch (error) {
    const failure = readFailure(error);
    // Single-page applications respond at any address with their page.
    const isPage = error instanceof ProblemError && error.cause instanceof SyntaxError;
    const other = isPage || isMissing(failure) ? await searchDocument(client) : null;
    const evidence = { ...failure, provider, members, other, isPage };
    return { subject: null, findings: findFirst(failedRows, evidence) };
  }
}

/** Whether a document describes OAuth 2.0 alone, as servers do that have one document at both addresses. */
function isPlainOAuth(members: Members): boolean {
  const ofOpenId = ['jwks_uri', 'userinfo_endpoint', 'subject_types_supported'];
  const named = [...ofOpenId, 'id_token_signing_alg_values_supported'].some(
    (name) => members[name] !== undefined,
  );
  const { token_endpoint: endpoint, scopes_supported: scopes } = members;
  return typeof endpoint === 'string' && !named && ![scopes].flat().includes('openid');
}

/** Whether a document has an endpoint in clear text, though the issuer isn't. */
function isClearText(members: Members, { issuer }: Pick<Provider, 'issuer'>): boolean {
  const isOne = ([name, value]: readonly [string, unknown]) =>
    /^issuer$|^jwks_uri$|_endpoint$/.test(name) && typeof value === 'string' && value.startsWith('http:');
  return issuer.startsWith('https:') && Object.entries(members).some(isOne);
}

/** A document in place of the one below the configured issuer: of this issuer or one above it, perhaps of plain OAuth 2 (RFC 8414). */
interface OtherDocument {
  readonly address: string;
  readonly members: Members;
}

interface Failure extends Answer {
  readonly provider: Provider;
  /** The document's, as far as there is one. */
  readonly members: Members;
  readonly other: OtherDocument | null;
  /** Whether the response isn't JSON. */
  readonly isPage: boolean;
}

const failed = rowsFor<Failure>();
const trustProxy = () =>
  'It doesn\'t know that it stands behind a proxy. Let the proxy send "X-Forwarded-Proto: https", and let the provider trust that header, or tell the provider its public address.';
const quoted = (failure: Answer) => failure.quoted;
const isMissing = ({ status }: Answer) => status === 404 || status === 410;

const failedRows = [
  failed.error('discovery-redirects', ({ kind }) => kind === 'redirected')`
    The discovery document redirects to ${quoted}, and the extension follows no redirect there.
    Correct "issuer" so that its discovery document loads, or set the new address as "discoveryUrl".`,
  failed.error('no-id-token', ({ other, members }) => isPlainOAuth(other?.members ?? members))`
    The provider supports OAuth 2.0 but not OpenID Connect, so no ID token says who signed in.
    Put an OpenID Connect broker in front of it, and configure the broker as the provider.`,
  failed.error('discovery-missing', ({ other, provider }) => other?.members['issuer'] === provider.issuer)`
    There is no discovery document: ${quoted}. This issuer's is somewhere else.
    Set "discoveryUrl": ${({ other }) => quoteAnswer(other?.address ?? '')}.`,
  failed.error('discovery-missing', ({ other }) => other !== null)`
    There is no discovery document: ${quoted}. There is one above it.
    Write "issuer": ${({ other }) => quoteAnswer(String(other?.members['issuer']))}.`,
  failed.error('discovery-missing', isMissing)`
    There is no discovery document: ${quoted}.
    Correct "issuer" (an endpoint or a page of the provider isn't its issuer), or set the endpoints in "metadata".`,
  failed.error('discovery-missing', ({ isPage }) => isPage)`
    In place of the discovery document there is something else: ${quoted}.
    Open that address. If it shows a page of the provider, correct "issuer"; if it's one of your network, sign in there.`,
  unansweredRow('provider-unreachable', ''),
  failed.error('discovery-unusable', ({ members, provider }) => isClearText(members, provider))`
    The discovery document names addresses of the provider with http: in place of https: ${quoted}.
    ${trustProxy}`,
  failed.error('discovery-unusable', () => true)`
    The discovery document can't be used: ${quoted}.
    Open that address. Correct "issuer", or "discoveryUrl" if it is set. Name an endpoint that it lacks in "metadata".`,
];

/**
 * Asks where RFC 8414 puts the document of an issuer with a path (sections 3 and 5), and below the parents of the issuer, the nearest
 * first.
 */
async function searchDocument({ provider, exchange }: ProviderClient): Promise<OtherDocument | null> {
  const { origin: host, pathname } = new URL(provider.issuer);
  // An issuer has few parts.
  const parts = pathname.split('/').filter(Boolean).slice(0, 6);
  const parents = parts.map((_part, index) => [host, ...parts.slice(0, index)].join('/')).toReversed();
  const path = pathname.replace(/\/$/, '');
  const read = async (address: string): Promise<OtherDocument | null> => {
    const answer = await exchange.fetch(address, {});
    const members = toMembers(await readJsonAnswer(detail`discovery`, safe(address), answer));
    const isOne = typeof members['issuer'] === 'string' && typeof members['token_endpoint'] === 'string';
    return isOne ? { address, members } : null;
  };
  const found = await Promise.all(
    [
      ...(path === '' ? [] : [`${host}/.well-known/openid-configuration${path}`]),
      ...parents.map((parent) => `${parent}/.well-known/openid-configuration`),
      `${host}/.well-known/oauth-authorization-server${path}`,
    ].map((address) => read(address).catch(() => null)),
  );
  const all = found.filter((one) => one !== null);
  return all.find(({ members }) => members['issuer'] === provider.issuer) ?? all[0] ?? null;
}

/** Reads the document with corrected settings. Throws a `ProblemError` if no setting could help. */
function readDocument(configured: Provider, document: DiscoveryDocument) {
  const members = toMembers(document);
  const corrected = correctIssuer(configured, members['issuer']);
  const endpoints: Members = { ...members, ...configured.metadata };
  const missing = findMissingOrigins({ ...configured, ...corrected }, endpoints);
  const origins = [...(corrected.origins ?? configured.origins), ...missing];
  const provider = { ...configured, ...corrected, origins };
  const metadata = readMetadata(document, provider);
  const { leftOutEndpoints = [] } = metadata;
  const fits = Object.keys(corrected).length === 0 && missing.length === 0;
  const findings = [
    ...findFirst(documentRows, { configured, corrected, document, fits }),
    ...missing.flatMap((host) =>
      findFirst(endpointRows, { name: '', origin: host, origins, isClearText: false }),
    ),
    ...leftOutEndpoints.flatMap((member) =>
      findFirst(endpointRows, {
        name: member,
        origin: toOrigin(endpoints[member]),
        origins,
        isClearText: isClearText({ [member]: members[member] }, provider),
      }),
    ),
  ];
  return { provider, document: members, metadata, findings };
}

/** Settings in place of those that the document contradicts. */
type Corrected = Partial<Pick<Provider, 'issuer' | 'issuerTemplate' | 'discoveryUrl' | 'origins'>>;

/** The document, compared with the configuration. */
interface DocumentEvidence {
  readonly configured: Provider;
  readonly corrected: Corrected;
  readonly document: DiscoveryDocument;
  /** Whether the issuer is the configured one, and the extension may reach each endpoint that it needs. */
  readonly fits: boolean;
}

const toSettings = ({ corrected }: DocumentEvidence) => quoteSettings(corrected);

const read = rowsFor<DocumentEvidence>();

const documentRows = [
  read.ok('discovery', ({ fits, document }) => fits && document === null)`
    The configuration names every endpoint that a sign-in needs, so there is no discovery.`,
  read.ok('discovery', ({ fits }) => fits)`
    The discovery document names the issuer ${({ configured }) => configured.issuerTemplate ?? configured.issuer}, as configured.`,
  read.error('issuer-template', ({ corrected }) => corrected.issuerTemplate !== undefined)`
    ${({ configured }) => configured.issuer} isn't one issuer: it stands for many tenants, and each has its own.
    For the people of one tenant, put its id into "issuer". For those of every tenant, add ${toSettings}, and list the tenants in "allowed".`,
  read.error('issuer-mismatch', ({ corrected }) => corrected.issuer !== undefined)`
    The discovery document names the issuer ${({ corrected }) => quoteAnswer(corrected.issuer ?? '')}, and "${({ configured }) => configured.issuer}" is configured.
    Issuers must match character for character. If that is your provider's issuer, write ${toSettings}.`,
];

/** An endpoint that the extension doesn't use. */
interface EndpointEvidence {
  /** Whether it's in clear text. */
  readonly isClearText: boolean;
  /** Empty for one that a sign-in needs. */
  readonly name: OptionalEndpoint | '';
  /** Empty if it isn't an https URL. */
  readonly origin: string;
  /** The `origins` that a sign-in needs. */
  readonly origins: readonly string[];
}

const left = rowsFor<EndpointEvidence>();
const name = (evidence: EndpointEvidence) => evidence.name;
const origin = (evidence: EndpointEvidence) => evidence.origin;
const consequence = (evidence: EndpointEvidence) => evidence.name && consequences[evidence.name];

const endpointRows = [
  left.error('host-missing', (endpoint) => endpoint.name === '')`
    An endpoint that a sign-in needs is at ${origin}, and the extension may not reach that host.
    If that host is your provider's, add it: ${({ origins }) => quoteSettings({ origins })}. Then build again.`,
  left.warning('endpoint-left-out', (endpoint) => endpoint.isClearText)`
    ${name} isn't used, because the discovery document names it with http: in place of https. ${consequence}
    ${trustProxy}`,
  left.warning('endpoint-left-out', (endpoint) => endpoint.origin === '')`
    ${name} isn't used, because it isn't an https URL. ${consequence}
    Set the right address in "metadata", or null for none.`,
  left.warning('endpoint-left-out', () => true)`
    ${name} isn't used, because it's at ${origin}, which the extension may not reach. ${consequence}
    To use it, write ${(all) => quoteSettings({ origins: [...all.origins, all.origin] })}. To do without, write "metadata": { "${name}": null }.`,
];

/** The features that are missing without an endpoint. */
const consequences: Readonly<Record<OptionalEndpoint, string>> = {
  userinfo_endpoint: "A name, email or picture that isn't in the ID token is missing.",
  revocation_endpoint: "A sign-out deletes the tokens on this device, and doesn't revoke them.",
  end_session_endpoint: "A sign-out can't end the session at the provider.",
  pushed_authorization_request_endpoint: "Authorization requests aren't pushed.",
};

/** The longest text that a configuration may have. */
const maxTextLength = 2000;

/** The settings for the issuer that a document names; none if they are right already, or if that issuer can't be configured. */
function correctIssuer(configured: Provider, named: unknown): Corrected {
  const { issuer, discoveryUrl, origins } = configured;
  if (typeof named !== 'string' || named.length > maxTextLength || isAdvertisable(configured, named))
    return {};
  if (named.includes(tenantPlaceholder)) {
    return checkIssuerTemplate(named) === null ? { issuerTemplate: named } : {};
  }
  if (checkIssuer(named) !== null) return {};
  const [own, other] = [issuer, named].map((address) => address.replace(/\/$/, ''));
  if (discoveryUrl !== null || own === other) return { issuer: named };
  const host = new URL(issuer).origin;
  const isReached = toProviderOrigins({ ...configured, issuer: named }).includes(host);
  return {
    issuer: named,
    discoveryUrl: `${own}/.well-known/openid-configuration`,
    ...(!isReached && { origins: [...origins, host] }),
  };
}

/** The origins of the endpoints that a sign-in needs and the extension may not reach. */
function findMissingOrigins(provider: Provider, endpoints: Members): readonly string[] {
  const isOnePushed = isPushed(provider, toTyped(endpoints) as unknown as Metadata);
  const pushed = isOnePushed ? ['pushed_authorization_request_endpoint'] : [];
  const reached = ['', ...toProviderOrigins(provider)];
  const hosts = [...toNeeds(provider).needed, ...pushed].map((member) => toOrigin(endpoints[member]));
  return [...new Set(hosts)].filter((host) => !reached.includes(host));
}

/** Empty for an address that isn't safe. */
function toOrigin(address: unknown): string {
  if (typeof address !== 'string' || !isSecureUrl(address)) return '';
  const host = new URL(address).origin;
  // A host has at most 253 characters.
  return host.length <= 300 ? host : '';
}
