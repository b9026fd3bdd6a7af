// Names the endpoints that the extension leaves out, because it may not reach them.

import type { Provider } from '../../src/config/provider.ts';
import type { DiscoveryDocument, Metadata, OptionalEndpoint } from '../../src/oidc/discover.ts';
import { isSecureUrl } from '../../src/session/secure-url.ts';
import { everywhere, type Finding } from './finding.ts';

/** Finds each of them, with the line that lets the extension use it. */
export function findLeftOut(
  { origins, metadata: configured }: Provider,
  document: DiscoveryDocument,
  { leftOutEndpoints = [] }: Metadata,
): Finding[] {
  const members: Readonly<Record<string, unknown>> = { ...(document as object), ...configured };
  return leftOutEndpoints.map((name) => {
    const origin = toSecureOrigin(members[name]);
    const text = `${name} is not used, because it is ${origin === null ? 'no https URL' : `at ${origin}, which the extension may not reach`}. ${leftOutConsequences[name]}`;
    const remedy =
      origin === null
        ? `Name the right address in "metadata", or null for none.`
        : `To use it, write "origins": ${JSON.stringify([...origins, origin])}. To do without, write "metadata": { ${JSON.stringify(name)}: null }.`;
    return everywhere('warning', 'endpoint-left-out', text, remedy);
  });
}

const leftOutConsequences: Readonly<Record<OptionalEndpoint, string>> = {
  userinfo_endpoint: 'A name, e-mail or picture that is not in the ID token is missing.',
  revocation_endpoint: 'A sign-out deletes the tokens on this device, and does not revoke them.',
  end_session_endpoint: 'A sign-out cannot end the session at the provider.',
  pushed_authorization_request_endpoint: 'Authorization requests are not pushed.',
};

/** Null for an address that is left out because it is not safe. */
function toSecureOrigin(address: unknown): string | null {
  if (typeof address !== 'string' || !isSecureUrl(address)) return null;
  const { origin } = new URL(address);
  return origin.length <= maxOriginLength ? origin : null;
}

/** A host has at most 253 characters. */
const maxOriginLength = 300;
