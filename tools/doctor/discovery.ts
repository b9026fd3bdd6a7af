// Asks for a provider's discovery document. If the configuration does not fit it, says how to correct that, and goes on as
// if it were corrected, so that one run finds every mistake.

import { checkIssuerTemplate } from '../../src/config/issuer-template.ts';
import type { Provider } from '../../src/config/provider.ts';
import { checkIssuer, tenantPlaceholder } from '../../src/config/url.ts';
import {
  readMetadata,
  requestDocument,
  type DiscoveryDocument,
  type Metadata,
} from '../../src/oidc/discover.ts';
import { isAdvertisable } from '../../src/oidc/issuer.ts';
import { createProviderClient, type ProviderClient } from '../../src/oidc/provider-client.ts';
import { ProblemError } from '../../src/session/problem.ts';
import { everywhere, quoteAnswer, type Finding } from './finding.ts';
import { searchIssuer } from './issuer-search.ts';
import { explainUnreachable } from './unreachable.ts';
import type { DoctorWorld } from './world.ts';

/** The result of discovery. */
export type Discovered =
  | {
      readonly status: 'found';
      /** The provider with its settings corrected. */
      readonly provider: Provider;
      /** Null if the configuration makes discovery unnecessary. */
      readonly document: DiscoveryDocument;
      readonly metadata: Metadata;
      readonly findings: readonly Finding[];
      readonly skewSeconds: number | null;
    }
  | { readonly status: 'failed'; readonly findings: readonly Finding[] };

/** The longest text that a configuration may have. */
const maxTextLength = 2000;

/** More endpoints are not needed. */
const maxCorrections = 6;

/** Asks for the metadata of a provider, as the extension does. */
export async function askDiscovery(provider: Provider, world: DoctorWorld): Promise<Discovered> {
  const client = createProviderClient(world, provider);
  try {
    const document = await requestDocument(client);
    return { ...correct(provider, document), skewSeconds: client.skewSeconds() };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return { status: 'failed', findings: [await explainFailure(error, client, world)] };
  }
}

/** Reads the document with corrected settings. Throws a {@link ProblemError} if no setting could help. */
function correct(provider: Provider, document: DiscoveryDocument) {
  const findings: Finding[] = [];
  let corrected = provider;
  const wrongIssuer = findWrongIssuer(provider, document);
  if (wrongIssuer !== null) {
    findings.push(wrongIssuer.finding);
    corrected = wrongIssuer.provider;
  }
  for (let count = 0; ; count += 1) {
    try {
      const metadata = readMetadata(document, corrected);
      if (findings.length === 0) findings.push(describeFit(provider, document));
      return { status: 'found' as const, provider: corrected, document, metadata, findings };
    } catch (error) {
      const origin = error instanceof ProblemError ? findMissingOrigin(error, document, corrected) : null;
      if (origin === null || count === maxCorrections) throw error;
      findings.push(
        everywhere(
          'error',
          'host-missing',
          `An endpoint that a sign-in needs is at ${origin}, and the extension may not reach that host.`,
          `Add it to the provider: "origins": ${JSON.stringify([...corrected.origins, origin])}. Then build again.`,
        ),
      );
      corrected = { ...corrected, origins: [...corrected.origins, origin] };
    }
  }
}

function describeFit({ issuer, issuerTemplate }: Provider, document: DiscoveryDocument): Finding {
  const text =
    document === null
      ? 'The configuration names every endpoint that a sign-in needs, so there is no discovery.'
      : `The discovery document names the issuer ${issuerTemplate ?? issuer}, as configured.`;
  return everywhere('ok', 'discovery', text);
}

interface Correction {
  readonly finding: Finding;
  readonly provider: Provider;
}

function findWrongIssuer(provider: Provider, document: DiscoveryDocument): Correction | null {
  const { issuer: advertised } = (document ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof advertised !== 'string' || document === null || isAdvertisable(provider, advertised)) {
    return null;
  }
  if (advertised.length > maxTextLength) return null;
  if (advertised.includes(tenantPlaceholder)) return suggestTemplate(provider, advertised);
  return checkIssuer(advertised) === null ? suggestIssuer(provider, advertised) : null;
}

function suggestTemplate(provider: Provider, advertised: string): Correction | null {
  if (checkIssuerTemplate(advertised) !== null) return null;
  return {
    provider: { ...provider, issuerTemplate: advertised },
    finding: everywhere(
      'error',
      'issuer-template',
      `${provider.issuer} is not one issuer: it stands for many tenants, and each has its own.`,
      `For the people of one tenant, put its id into "issuer". For those of every tenant, add "issuerTemplate": ${JSON.stringify(advertised)}, and name the tenants in "allowed".`,
    ),
  };
}

function suggestIssuer(provider: Provider, advertised: string): Correction {
  const { issuer, discoveryUrl, origins } = provider;
  const text = `The discovery document names the issuer ${quoteAnswer(advertised)}, and ${JSON.stringify(issuer)} is configured.`;
  const withoutSlash = (address: string) => address.replace(/\/$/, '');
  if (discoveryUrl !== null || withoutSlash(advertised) === withoutSlash(issuer)) {
    return {
      provider: { ...provider, issuer: advertised },
      finding: everywhere(
        'error',
        'issuer-mismatch',
        text,
        `Issuers are compared to the letter: write "issuer": ${JSON.stringify(advertised)}.`,
      ),
    };
  }
  const place = `${withoutSlash(issuer)}/.well-known/openid-configuration`;
  const { origin } = new URL(issuer);
  const needsOrigin = origin !== new URL(advertised).origin && !origins.includes(origin);
  const settings = [
    `"issuer": ${JSON.stringify(advertised)}`,
    `"discoveryUrl": ${JSON.stringify(place)}`,
    ...(needsOrigin ? [`"origins": ${JSON.stringify([...origins, origin])}`] : []),
  ];
  return {
    provider: {
      ...provider,
      issuer: advertised,
      discoveryUrl: place,
      origins: needsOrigin ? [...origins, origin] : origins,
    },
    finding: everywhere(
      'error',
      'issuer-mismatch',
      text,
      `If that is your provider's issuer, write ${settings.join(', ')}.`,
    ),
  };
}

/** The origin that would let the extension reach the endpoint which it may not reach; null if that is not the problem. */
function findMissingOrigin(
  { code, detail }: ProblemError,
  document: DiscoveryDocument,
  { metadata, origins }: Provider,
): string | null {
  if (code !== 'host-permission-missing') return null;
  const members: Readonly<Record<string, unknown>> = { ...(document as object), ...metadata };
  const [, name = ''] = /^discovery: (\w+) is on a host/.exec(detail ?? '') ?? [];
  const missing = toOrigin(String(members[name]));
  if (missing === null || missing.length > maxTextLength) return null;
  return origins.includes(missing) ? null : missing;
}

function toOrigin(address: string): string | null {
  try {
    const { origin, protocol } = new URL(address);
    return protocol === 'https:' || protocol === 'http:' ? origin : null;
  } catch {
    return null; // Not an address: another member of the document.
  }
}

async function explainFailure(
  error: ProblemError,
  client: ProviderClient,
  world: DoctorWorld,
): Promise<Finding> {
  const { code, detail } = error;
  const text = quoteAnswer(detail ?? code);
  const redirectedTo = world.redirectedTo();
  if (redirectedTo !== null) {
    return everywhere(
      'error',
      'discovery-redirects',
      `The discovery document redirects to ${quoteAnswer(redirectedTo)}, and the extension follows no redirect there.`,
      'Correct "issuer" so that its discovery document answers, or name the new address as "discoveryUrl".',
    );
  }
  if (/: HTTP (404|410) /.test(detail ?? '')) return explainMissing(client, text);
  if (code === 'provider-unreachable' || code === 'timed-out') {
    const { certainty, ...reason } = explainUnreachable(error);
    const severity = certainty === 'certain' ? 'error' : 'warning';
    return everywhere(severity, 'provider-unreachable', reason.text, reason.remedy);
  }
  if (/HTTP 403/.test(detail ?? '')) {
    return everywhere('error', 'discovery-unusable', `The provider refuses the request: ${text}.`);
  }
  const isNoProvider = /discovery: (token_endpoint|jwks_uri|authorization_endpoint) /.exec(detail ?? '');
  if (isNoProvider !== null) {
    return everywhere(
      'error',
      'discovery-unusable',
      `The discovery document lacks an endpoint that a sign-in needs: ${text}.`,
      `Name it in "metadata" as "${isNoProvider[1]}", if the provider has one.`,
    );
  }
  return everywhere(
    'error',
    'discovery-unusable',
    `The discovery document cannot be used: ${text}.`,
    'Open that address. Correct "issuer", or "discoveryUrl" if it is set.',
  );
}

async function explainMissing(client: ProviderClient, text: string): Promise<Finding> {
  const found = await searchIssuer(client);
  if (found?.kind === 'issuer') {
    return everywhere(
      'error',
      'discovery-missing',
      `There is no discovery document: ${text}. There is one above it, of the issuer ${quoteAnswer(found.issuer)}.`,
      `Write "issuer": ${quoteAnswer(found.issuer)}.`,
    );
  }
  if (found?.kind === 'oauth') {
    return everywhere(
      'error',
      'no-id-token',
      'The provider speaks OAuth 2.0 without OpenID Connect: it issues no ID token that says who signed in.',
      'Put a provider of OpenID Connect between (a broker), and name that as the provider.',
    );
  }
  return everywhere(
    'error',
    'discovery-missing',
    `There is no discovery document: ${text}.`,
    'Correct "issuer" (an endpoint or a page of the provider is not its issuer), or name the endpoints in "metadata".',
  );
}
