// What is known of a provider without a request: what its profile presets, its hosts, and the parts of its sign-in.

import type { Settings } from '../../src/providers/profile.ts';
import { toProviderOrigins } from '../../src/config/origins.ts';
import type { Provider } from '../../src/config/provider.ts';
import type { NamedProfile } from '../build/profiles.ts';

/** The settings that a profile presets: none if the provider is not recognized, or cannot work. */
export function toPreset(recognized: NamedProfile | null): Settings {
  return recognized?.profile.use === 'preset' ? recognized.profile.settings : {};
}

/** The origins that the configuration or the provider's profile names. */
export function toNamedOrigins(provider: Provider, recognized: NamedProfile | null): readonly string[] {
  const { origins = [], metadata } = toPreset(recognized);
  const endpoints = Object.values({ ...metadata, ...provider.metadata }).filter(
    (value) => typeof value === 'string',
  );
  return [...toProviderOrigins(provider), ...origins, ...endpoints.map((url) => new URL(url).origin)];
}

/** A part of a sign-in that the doctor can check. */
export type Part = 'id-token' | 'code' | 'window';

interface FlowSettings extends Pick<Provider, 'responseType' | 'deviceFlow' | 'metadata'> {
  readonly userApi: object | null;
}

/** The parts that a sign-in with this provider has. */
export function toParts({ responseType, userApi, deviceFlow }: FlowSettings): readonly Part[] {
  const opensWindow = deviceFlow !== 'only';
  return [
    ...(userApi === null ? (['id-token'] as const) : []),
    ...(responseType === 'code' && opensWindow ? (['code'] as const) : []),
    ...(opensWindow ? (['window'] as const) : []),
  ];
}

/**
 * Whether the settings choose another way than the code flow at the provider itself: another flow, or a token endpoint of
 * the team's own, such as a relay. Such a way can work at a provider with which the code flow cannot.
 */
export function isDetour(provider: FlowSettings): boolean {
  const { deviceFlow, metadata } = provider;
  return deviceFlow !== 'off' || metadata?.token_endpoint !== undefined || toParts(provider).length < 3;
}
