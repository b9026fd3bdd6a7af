// What can be known from the configuration alone, without asking a provider.

import type { Provider } from '../../src/config/provider.ts';
import { everywhere, type Finding } from './finding.ts';
import { findMistake, type KnownProvider } from './known-provider.ts';

/** Finds what is wrong or worth knowing about a provider's settings. `known` is what is known of it, or null. */
export function examineConfigured(provider: Provider, known: KnownProvider | null): readonly Finding[] {
  if (known === null) return [];
  if (known.refusal !== undefined) {
    return [everywhere('error', 'provider-refused', known.refusal), ...toLimits(known)];
  }
  const mistake = findIssuerMistake(provider, known);
  return [
    ...(mistake === null ? [] : [everywhere('error', 'issuer-mistake', ...mistake)]),
    ...findUnverifiedEmail(provider, known),
    ...findMissingLifetime(provider, known),
    ...findRefusedScope(provider, known),
    ...toLimits(known),
  ];
}

function findIssuerMistake(provider: Provider, known: KnownProvider): [string, string] | null {
  const { issuer, issuerTemplate, metadata } = provider;
  // Then the issuer only says where the discovery document is, or is not asked.
  if (issuerTemplate !== null || metadata?.token_endpoint !== undefined) return null;
  const advice = findMistake(known, issuer);
  return advice === null ? null : [`${JSON.stringify(issuer)} is not an issuer of ${known.title}.`, advice];
}

function findUnverifiedEmail({ allowed }: Provider, { title, limits }: KnownProvider): Finding[] {
  const limit = limits.find(({ kind }) => kind === 'verified-email-missing');
  if (allowed['email'] === undefined || limit === undefined) return [];
  const remedy = `Use another claim in "allowed". ${limit.text}`;
  return [
    everywhere(
      'error',
      'email-unverified',
      `"allowed" asks for "email", and ${title} verifies none: nobody could sign in.`,
      remedy,
    ),
  ];
}

function findMissingLifetime(
  { refreshTokenSeconds, scope }: Provider,
  { title, settings }: KnownProvider,
): Finding[] {
  const known = settings?.refreshTokenSeconds ?? null;
  if (known === null || refreshTokenSeconds !== null || !scope.split(' ').includes('offline_access')) {
    return [];
  }
  return [
    everywhere(
      'warning',
      'refresh-token-seconds',
      `Refresh tokens of ${title} end ${known} seconds after the sign-in, and the configuration does not say so: sessions end there.`,
      `Add "refreshTokenSeconds": ${known}, so that Latchkey signs in silently before that.`,
    ),
  ];
}

function findRefusedScope({ scope }: Provider, { title, settings, limits }: KnownProvider): Finding[] {
  const preset = settings?.scope?.split(' ');
  const limit = limits.find(({ kind }) => kind === 'scope-refused');
  if (preset === undefined || limit === undefined) return [];
  const further = scope.split(' ').filter((name) => !preset.includes(name));
  if (further.length === 0) return [];
  return [
    everywhere(
      'warning',
      'scope',
      `${title} may refuse the scope ${further.map((name) => JSON.stringify(name)).join(', ')}. ${limit.text}`,
      `The scope with which it works is ${JSON.stringify(settings?.scope)}.`,
    ),
  ];
}

function toLimits({ limits }: KnownProvider): Finding[] {
  return limits.map(({ text }) => everywhere('note', 'limit', text));
}
