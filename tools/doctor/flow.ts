// The flow by which a provider signs a person in, and what the doctor checks of it.

import {
  createAuthorizationRequest,
  readAuthorizationResponse,
  type AuthorizationRequest,
} from '../../src/oidc/authorize.ts';
import type { Metadata } from '../../src/oidc/discover.ts';
import type { ProviderClient } from '../../src/oidc/provider-client.ts';
import type { Provider } from '../../src/config/provider.ts';

/** The settings that choose a flow. Missing ones have their defaults: the code flow in a window, with an ID token. */
interface FlowSettings extends Pick<Provider, 'id'> {
  readonly responseType?: 'code' | 'id_token';
  readonly userApi?: object | null;
  readonly deviceFlow?: 'off' | 'fallback' | 'only';
}

/** A part of a sign-in that the doctor can check. */
export type Part = 'id-token' | 'code' | 'window';

/** The parts that a sign-in with this provider has. */
export function toParts({ responseType, userApi, deviceFlow }: FlowSettings): readonly Part[] {
  const opensWindow = deviceFlow !== 'only';
  return [
    ...((userApi ?? null) === null ? (['id-token'] as const) : []),
    ...(responseType !== 'id_token' && opensWindow ? (['code'] as const) : []),
    ...(opensWindow ? (['window'] as const) : []),
  ];
}

/**
 * Whether the settings choose another way than the code flow at the provider itself: another flow, or a token endpoint of
 * the team's own, such as a relay. Such a way can work at a provider with which the code flow cannot.
 */
export function isDetour(provider: FlowSettings & Pick<Provider, 'metadata'>): boolean {
  const { deviceFlow = 'off', metadata } = provider;
  return deviceFlow !== 'off' || metadata?.token_endpoint !== undefined || toParts(provider).length < 3;
}

/** The request of a flow, and how its answer is validated. */
export interface ProbedFlow {
  /** Throws {@link ProblemError}. */
  createRequest(
    client: ProviderClient,
    metadata: Metadata,
    redirectUri: string,
  ): Promise<AuthorizationRequest>;
  /** Resolves if the answer brings what was asked for. Throws {@link ProblemError}. */
  readAnswer(
    client: ProviderClient,
    metadata: Metadata,
    request: AuthorizationRequest,
    responseUrl: string,
  ): Promise<unknown>;
}

/** The code flow, asked silently. */
export const silentCodeFlow: ProbedFlow = {
  createRequest: (client, metadata, redirectUri) =>
    createAuthorizationRequest(client, metadata, redirectUri, { prompt: 'none' }),
  readAnswer: readAuthorizationResponse,
};
