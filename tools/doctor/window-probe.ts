// Sends the authorization request of each browser with `prompt=none` and without cookies. A provider that accepts it
// redirects to the redirect URI and says that nobody is signed in; one that does not know the redirect URI shows a page.

import type { Provider } from '../../src/config/provider.ts';
import { toProviderOrigins } from '../../src/config/origins.ts';
import type { AuthorizationRequest } from '../../src/oidc/authorize.ts';
import { withDiagnosis } from '../../src/oidc/diagnosis.ts';
import type { Metadata } from '../../src/oidc/discover.ts';
import { createProviderClient } from '../../src/oidc/provider-client.ts';
import { ProblemError } from '../../src/session/problem.ts';
import type { Finding } from './finding.ts';
import { silentCodeFlow, toParts, type ProbedFlow } from './flow.ts';
import type { Target } from './targets.ts';
import {
  acceptPage,
  explainFailure,
  explainPushFailure,
  judgePage,
  judgeRedirect,
  unclear,
  type WindowAnswer,
} from './window-answer.ts';
import { createPageWorld, type WorldParts } from './world.ts';

/**
 * Sends the request for a target. If the provider shows a page in place of an answer, asks once more with a redirect URI that
 * nobody has registered: if it refuses that one, it accepts the other.
 */
export async function probeWindow(
  parts: WorldParts,
  provider: Provider,
  metadata: Metadata,
  target: Target,
  flow: ProbedFlow = silentCodeFlow,
): Promise<Finding> {
  const answer = await ask(parts, provider, metadata, target, flow);
  if (answer.kind === 'judged') return answer.finding;
  const unregistered = { ...target, redirectUri: `https://${makeUpId()}.chromiumapp.org/${provider.id}` };
  const other = await ask(parts, provider, metadata, unregistered, flow);
  const isRefused = other.kind === 'judged' && other.finding.code === 'redirect-uri-unknown';
  return isRefused ? acceptPage(target, toParts(provider)) : unclear(answer.reason, target);
}

/** The form of an extension id of Chromium. */
function makeUpId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return [...bytes].map((byte) => 'abcdefghijklmnop'.charAt(byte % 16)).join('');
}

async function ask(
  parts: WorldParts,
  provider: Provider,
  metadata: Metadata,
  target: Target,
  flow: ProbedFlow,
): Promise<WindowAnswer> {
  const { redirectUri, origin } = target;
  const origins = [...toProviderOrigins(provider), new URL(metadata.authorization_endpoint).origin];
  const world = createPageWorld(parts, origin, origins);
  // The page opens in a window, which needs no permission.
  const client = createProviderClient(world, { ...provider, origins });
  const registration = { redirectUri, clientId: provider.clientId };
  let request: AuthorizationRequest | null = null;
  try {
    request = await withDiagnosis(registration, () => flow.createRequest(client, metadata, redirectUri));
    const page = await client.fetchPage(request.url);
    if (page === null) return { kind: 'judged', finding: unclear('It redirects in circles.', target) };
    return judgePage(page, target, registration);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const redirectedTo = world.redirectedTo();
    if (request === null) return { kind: 'judged', finding: explainPushFailure(error, target) };
    if (redirectedTo === null) return { kind: 'judged', finding: explainFailure(error, target) };
    const sent = request;
    const read = () => flow.readAnswer(client, metadata, sent, redirectedTo);
    return judgeRedirect(redirectedTo, read, target, registration);
  }
}
