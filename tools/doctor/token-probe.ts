// Sends a made-up code to the token endpoint, as the worker would send a real one from each browser. The provider refuses
// it, and how it does shows whether it accepts the client and the `Origin` of an extension.

import * as oauth from 'oauth4webapi';
import type { Provider } from '../../src/config/provider.ts';
import type { Metadata } from '../../src/oidc/discover.ts';
import { createProviderClient, type ProviderClient } from '../../src/oidc/provider-client.ts';
import { createSecret } from '../../src/oidc/redirect.ts';
import { toResourceParameters } from '../../src/oidc/redeem.ts';
import { generateDpopKey, wantsDpop, withProof } from '../../src/oidc/dpop.ts';
import { ProblemError } from '../../src/session/problem.ts';
import { everywhere, quoteAnswer, quoteProblem, type Finding } from './finding.ts';
import type { Target } from './targets.ts';
import { judgeTokenAnswer, type TokenAnswer, type Verdict } from './token-answer.ts';
import { explainUnreachable } from './unreachable.ts';
import { createDoctorWorld, type DoctorWorld, type WorldParts } from './world.ts';

/** Sends the made-up code from a target. */
export async function probeToken(
  parts: WorldParts,
  provider: Provider,
  metadata: Metadata,
  target: Target,
): Promise<Verdict> {
  const first = await ask(parts, provider, metadata, target, target.origin);
  if (first.kind !== 'origin-refused') return first;
  const findings = [refuseOrigin(target, first.quoted)];
  if (first.certainty === 'said') return { kind: 'found', findings };
  // A firewall refuses other programs too, whatever their origin.
  const second = await ask(parts, provider, metadata, target, null);
  if (second.kind !== 'origin-refused') return { kind: 'found', findings };
  const text = `The token endpoint refuses every request: ${first.quoted}.`;
  const remedy =
    'Look for a rule of a firewall, or for a setting that lists the origins which may ask (CORS, "web origins").';
  return { kind: 'found', findings: [everywhere('error', 'token-endpoint-broken', text, remedy)] };
}

function refuseOrigin({ name, origin }: Target, quoted: string): Finding {
  const isFirefox = name === 'firefox';
  return {
    severity: 'error',
    code: 'origin-refused',
    targets: [name],
    text: `The token endpoint refuses requests with the Origin of the extension, ${isFirefox ? 'moz-extension://<random>' : origin}: ${quoted}.`,
    remedy: isFirefox
      ? 'Allow any origin ("*") for this client (CORS, "web origins"), because the id is another in each installation. A provider without such a setting cannot be used in Firefox.'
      : `Allow the origin ${origin} for this client (CORS, "web origins").`,
  };
}

async function ask(
  parts: WorldParts,
  provider: Provider,
  metadata: Metadata,
  { redirectUri }: Target,
  origin: string | null,
): Promise<Verdict> {
  const world = createDoctorWorld(parts, origin);
  const client = createProviderClient(world, provider);
  try {
    return judgeTokenAnswer(await sendCode(client, metadata, redirectUri));
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return { kind: 'found', findings: [explainFailure(error, world)] };
  }
}

async function sendCode(
  client: ProviderClient,
  metadata: Metadata,
  redirectUri: string,
): Promise<TokenAnswer> {
  const { provider, atOnceOptions, world } = client;
  const [code, state, codeVerifier] = [createSecret(world), createSecret(world), createSecret(world)];
  const { issuer } = metadata;
  // The library redeems only what it has validated.
  const parameters = oauth.validateAuthResponse(
    metadata,
    client.oauthClient(),
    new URLSearchParams({ code, state, iss: issuer }),
    state,
  );
  const dpopKey = wantsProof(provider, metadata) ? await generateDpopKey() : null;
  const response = await withProof(client, dpopKey, (proof) =>
    oauth.authorizationCodeGrantRequest(
      metadata,
      client.oauthClient(),
      oauth.None(),
      parameters,
      redirectUri,
      codeVerifier,
      { ...atOnceOptions, ...proof, additionalParameters: toResourceParameters(provider) },
    ),
  );
  return { status: response.status, text: await response.text() };
}

/** A provider that does not support the configured DPoP has been reported already. */
function wantsProof(provider: Provider, metadata: Metadata): boolean {
  try {
    return wantsDpop(provider, metadata);
  } catch {
    return false;
  }
}

function explainFailure(error: ProblemError, world: DoctorWorld): Finding {
  const redirectedTo = world.redirectedTo();
  if (redirectedTo !== null) {
    return everywhere(
      'error',
      'token-endpoint-broken',
      `The token endpoint redirects to ${quoteAnswer(redirectedTo)}, and the extension follows no redirect there.`,
      'Name the right address as "token_endpoint" in "metadata".',
    );
  }
  if (error.code === 'provider-unreachable' || error.code === 'timed-out') {
    const { text, remedy } = explainUnreachable(error);
    const severity = /HTTP \d/.test(error.detail ?? '') ? 'warning' : 'error';
    return everywhere(severity, 'token-endpoint-broken', `The token endpoint fails: ${text}`, remedy);
  }
  return everywhere(
    'error',
    'token-endpoint-broken',
    `The token endpoint cannot be used: ${quoteProblem(error)}.`,
  );
}
