// Sends a made-up code to the token endpoint, as the worker would send a real one from each browser. A healthy endpoint
// refuses the code, and says so as RFC 6749 section 5.2 asks: then it accepts the `Origin` of an extension. Some look at the
// client only after the code, so it doesn't show that they know the client.

import * as oauth from 'oauth4webapi';
import type { Provider } from '../../src/config/provider.ts';
import { toOwnParameters } from '../../src/oidc/access.ts';
import type { Metadata } from '../../src/oidc/discover.ts';
import { generateDpopKey, wantsDpop, withProof } from '../../src/oidc/dpop.ts';
import { parseObject } from '../../src/oidc/json-object.ts';
import { createProviderClient, type ProviderClient } from '../../src/oidc/provider-client.ts';
import { createSecret } from '../../src/oidc/redirect.ts';
import { readFailure, type Failure } from './failure.ts';
import { quoteAnswer } from './finding.ts';
import type { Target } from './targets.ts';
import { createDoctorWorld, type Gate } from './world.ts';

/** An answer to a made-up code. */
export interface TokenAnswer {
  readonly kind: 'answered';
  readonly status: number;
  readonly text: string;
  /** The error of OAuth, and its description; empty if there is none. */
  readonly error: string;
  readonly description: string;
  /** The status and the error, to be printed. */
  readonly quoted: string;
}

/** The token endpoint's answer to the made-up code of a target. */
export interface TokenEvidence {
  readonly target: Target;
  readonly answer: TokenAnswer | Failure;
  /** Whether a request without an `Origin` is refused too. That is asked if this one may have been refused for it. */
  readonly isRefusedAnyway: boolean;
}

/** Sends the made-up code from a target. */
export async function askToken(
  gate: Gate,
  provider: Provider,
  metadata: Metadata,
  target: Target,
): Promise<TokenEvidence> {
  const ask = (origin: string | null) => sendCode(gate, provider, metadata, target.redirectUri, origin);
  const answer = await ask(target.origin);
  // A firewall refuses other programs too, whatever their origin.
  const isRefusedAnyway = isBareRefusal(answer) && isBareRefusal(await ask(null));
  return { target, answer, isRefusedAnyway };
}

async function sendCode(
  gate: Gate,
  provider: Provider,
  metadata: Metadata,
  redirectUri: string,
  origin: string | null,
): Promise<TokenAnswer | Failure> {
  const world = createDoctorWorld(gate, origin);
  const client = createProviderClient(world, provider);
  try {
    const { status, text } = await redeemMadeUpCode(client, metadata, redirectUri);
    const { error, description } = readOAuthError(text);
    const said = description === '' ? error : `${error}: ${description}`;
    const quoted = error === '' ? `HTTP ${status}` : `HTTP ${status}, ${quoteAnswer(said)}`;
    return { kind: 'answered', status, text, error, description, quoted };
  } catch (error) {
    return readFailure(error, world);
  }
}

async function redeemMadeUpCode(client: ProviderClient, metadata: Metadata, redirectUri: string) {
  const { provider, atOnceOptions, world } = client;
  const [code, state, codeVerifier] = [createSecret(world), createSecret(world), createSecret(world)];
  // The library redeems only what it has validated.
  const parameters = oauth.validateAuthResponse(
    metadata,
    client.oauthClient(),
    new URLSearchParams({ code, state, iss: metadata.issuer }),
    state,
  );
  const dpopKey = sendsProof(provider, metadata) ? await generateDpopKey() : null;
  const response = await withProof(client, dpopKey, (proof) =>
    oauth.authorizationCodeGrantRequest(
      metadata,
      client.oauthClient(),
      oauth.None(),
      parameters,
      redirectUri,
      codeVerifier,
      { ...atOnceOptions, ...proof, additionalParameters: toOwnParameters(provider, {}) },
    ),
  );
  return { status: response.status, text: await response.text() };
}

/** A provider that does not support the configured DPoP has a finding of its own. */
function sendsProof(provider: Provider, metadata: Metadata): boolean {
  try {
    return wantsDpop(provider, metadata);
  } catch {
    return false;
  }
}

/** Reads an error as JSON, or as the form that some providers send. */
function readOAuthError(text: string): Pick<TokenAnswer, 'error' | 'description'> {
  const { error, error_description: description } =
    parseObject(text) ?? Object.fromEntries(new URLSearchParams(text.slice(0, 4096)));
  const isCode = typeof error === 'string' && (text.trimStart().startsWith('{') || /^\w{1,60}$/.test(error));
  if (!isCode) return { error: '', description: '' };
  return { error, description: typeof description === 'string' ? description : '' };
}

/** Whether a request is refused without an error of OAuth, as servers do that compare the `Origin`. */
export function isBareRefusal(answer: TokenAnswer | Failure): boolean {
  return answer.kind === 'answered' && answer.status === 403 && answer.error === '';
}
