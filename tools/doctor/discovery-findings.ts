// The tables of what discovery brings: why there is no document, or how it does not fit the configuration.

import type { Provider } from '../../src/config/provider.ts';
import type { DiscoveryDocument, OptionalEndpoint } from '../../src/oidc/discover.ts';
import type { Failure } from './failure.ts';
import { quoteAnswer, row, type Row } from './finding.ts';

/** A document in place of the one below the configured issuer. */
export interface OtherDocument {
  readonly kind: 'issuer' | 'oauth';
  readonly issuer: string;
}

/** Why there is no discovery document that can be used. */
interface FailureEvidence extends Failure {
  readonly isMissing: boolean;
  /** The document of an issuer above, or of plain OAuth 2 (RFC 8414); null if there is none. */
  readonly other: OtherDocument | null;
}

export const undiscoveredRows: readonly Row<FailureEvidence>[] = [
  row.error(
    'discovery-redirects',
    ({ kind }) => kind === 'redirected',
    ({ text }) => `The discovery document redirects to ${text}, and the extension follows no redirect there.`,
    'Correct "issuer" so that its discovery document answers, or name the new address as "discoveryUrl".',
  ),
  row.error(
    'discovery-missing',
    ({ other }) => other?.kind === 'issuer',
    ({ text, other }) =>
      `There is no discovery document: ${text}. There is one above it, of the issuer ${quoteAnswer(other?.issuer ?? '')}.`,
    ({ other }) => `Write "issuer": ${quoteAnswer(other?.issuer ?? '')}.`,
  ),
  row.error(
    'no-id-token',
    ({ other }) => other?.kind === 'oauth',
    'The provider speaks OAuth 2.0 without OpenID Connect: it issues no ID token that says who signed in.',
    'Put a provider of OpenID Connect between (a broker), and name that as the provider.',
  ),
  row.error(
    'discovery-missing',
    ({ isMissing }) => isMissing,
    ({ text }) => `There is no discovery document: ${text}.`,
    'Correct "issuer" (an endpoint or a page of the provider is not its issuer), or name the endpoints in "metadata".',
  ),
  row.error(
    'provider-unreachable',
    ({ kind, certainty }) => kind === 'unanswered' && certainty === 'certain',
    ({ text }) => text,
    ({ remedy }) => remedy,
  ),
  row.warning(
    'provider-unreachable',
    ({ kind }) => kind === 'unanswered',
    ({ text }) => text,
    ({ remedy }) => remedy,
  ),
  row.error(
    'discovery-unusable',
    ({ status }) => status === 403,
    ({ text }) => `The provider refuses the request: ${text}.`,
  ),
  row.error(
    'discovery-unusable',
    ({ text }) => findLack(text) !== '',
    ({ text }) => `The discovery document lacks an endpoint that a sign-in needs: ${text}.`,
    ({ text }) => `Name it in "metadata" as "${findLack(text)}", if the provider has one.`,
  ),
  row.error(
    'discovery-unusable',
    () => true,
    ({ text }) => `The discovery document cannot be used: ${text}.`,
    'Open that address. Correct "issuer", or "discoveryUrl" if it is set.',
  ),
];

/** The endpoint that is missing or malformed. */
function findLack(text: string): string {
  return /discovery: (token_endpoint|jwks_uri|authorization_endpoint) /.exec(text)?.[1] ?? '';
}

/** The issuer that the document names, beside the configured one. */
export interface IssuerEvidence {
  /** `spelling`: by a slash, or the address of the document is configured. `other`: the document is elsewhere. */
  readonly mistake: 'none' | 'template' | 'spelling' | 'other';
  readonly configured: Provider;
  readonly named: string;
  readonly corrected: Provider;
}

/** The document beside the configuration. `missing` are the origins that the extension needs and may not reach. */
interface DocumentEvidence extends IssuerEvidence {
  readonly document: DiscoveryDocument;
  readonly missing: readonly string[];
}

export const documentRows: readonly Row<DocumentEvidence>[] = [
  row.ok(
    'discovery',
    ({ mistake, missing }) => mistake === 'none' && missing.length === 0,
    ({ document, configured: { issuer, issuerTemplate } }) =>
      document === null
        ? 'The configuration names every endpoint that a sign-in needs, so there is no discovery.'
        : `The discovery document names the issuer ${issuerTemplate ?? issuer}, as configured.`,
  ),
  row.error(
    'issuer-template',
    ({ mistake }) => mistake === 'template',
    ({ configured }) =>
      `${configured.issuer} is not one issuer: it stands for many tenants, and each has its own.`,
    ({ named }) =>
      `For the people of one tenant, put its id into "issuer". For those of every tenant, add "issuerTemplate": ${JSON.stringify(named)}, and name the tenants in "allowed".`,
  ),
  row.error(
    'issuer-mismatch',
    ({ mistake }) => mistake === 'spelling',
    describeMismatch,
    ({ named }) => `Issuers are compared to the letter: write "issuer": ${JSON.stringify(named)}.`,
  ),
  row.error(
    'issuer-mismatch',
    ({ mistake }) => mistake === 'other',
    describeMismatch,
    ({ configured, corrected: { issuer, discoveryUrl, origins } }) => {
      const added = origins === configured.origins ? '' : `, "origins": ${JSON.stringify(origins)}`;
      return `If that is your provider's issuer, write "issuer": ${JSON.stringify(issuer)}, "discoveryUrl": ${JSON.stringify(discoveryUrl)}${added}.`;
    },
  ),
];

function describeMismatch({ named, configured }: IssuerEvidence): string {
  return `The discovery document names the issuer ${quoteAnswer(named)}, and ${JSON.stringify(configured.issuer)} is configured.`;
}

/** A host with an endpoint that a sign-in needs, and that the extension may not reach. */
export interface HostEvidence {
  readonly origin: string;
  /** The `origins` that a sign-in needs. */
  readonly origins: readonly string[];
}

export const hostRow = row.error<HostEvidence>(
  'host-missing',
  () => true,
  ({ origin }) =>
    `An endpoint that a sign-in needs is at ${origin}, and the extension may not reach that host.`,
  ({ origins }) =>
    `If that host is your provider's, add it: "origins": ${JSON.stringify(origins)}. Then build again.`,
);

/** An endpoint that a sign-in can do without, and that the extension does not use. */
export interface LeftOutEvidence extends Pick<HostEvidence, 'origins'> {
  readonly name: OptionalEndpoint;
  /** Null if it is no https URL. */
  readonly origin: string | null;
}

export const leftOutRows: readonly Row<LeftOutEvidence>[] = [
  row.warning(
    'endpoint-left-out',
    ({ origin }) => origin === null,
    ({ name }) => `${name} is not used, because it is no https URL. ${consequences[name]}`,
    'Name the right address in "metadata", or null for none.',
  ),
  row.warning(
    'endpoint-left-out',
    () => true,
    ({ name, origin }) =>
      `${name} is not used, because it is at ${origin}, which the extension may not reach. ${consequences[name]}`,
    ({ name, origin, origins }) =>
      `To use it, write "origins": ${JSON.stringify([...origins, origin])}. To do without, write "metadata": { ${JSON.stringify(name)}: null }.`,
  ),
];

const consequences: Readonly<Record<OptionalEndpoint, string>> = {
  userinfo_endpoint: 'A name, e-mail or picture that is not in the ID token is missing.',
  revocation_endpoint: 'A sign-out deletes the tokens on this device, and does not revoke them.',
  end_session_endpoint: 'A sign-out cannot end the session at the provider.',
  pushed_authorization_request_endpoint: 'Authorization requests are not pushed.',
};
