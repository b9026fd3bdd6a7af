// Examines the configuration alone, without asking a provider.

import type { Provider } from '../../src/config/provider.ts';
import { everywhere, type Finding } from './finding.ts';
import { isDetour } from './flow.ts';
import { findMistake, type KnownProvider, type Recognized } from './known-provider.ts';

/**
 * Finds what is wrong or worth knowing about a provider's settings. `profileName` is the profile that the configuration
 * names, or null.
 */
export function examineConfigured(
  provider: Provider,
  recognized: Recognized | null,
  profileName: string | null,
): readonly Finding[] {
  if (recognized === null) return [];
  const { known } = recognized;
  if (known.use === 'refused') {
    const refusal = known.refusal ?? `${known.title} cannot work.`;
    const finding = isDetour(provider)
      ? everywhere('note', 'limit', refusal)
      : everywhere('error', 'provider-refused', refusal);
    return [finding, ...toLimits(known)];
  }
  return [
    ...findIssuerMistake(provider, recognized),
    ...findUnverifiedEmail(provider, known),
    ...findMissingLifetime(provider, known),
    ...findRefusedScope(provider, known),
    ...(profileName === null ? findOtherSettings(provider, recognized) : []),
    ...toLimits(known),
  ];
}

function findIssuerMistake(provider: Provider, { name, known }: Recognized): Finding[] {
  const { issuer, issuerTemplate, metadata } = provider;
  const written = JSON.stringify(issuer);
  const advice = findMistake(known, issuer);
  if (advice !== null) {
    return [everywhere('error', 'issuer-mistake', `${written} is not an issuer of ${known.title}.`, advice)];
  }
  const template = known.settings?.['issuerTemplate'];
  // With endpoints of its own the issuer is compared with that of the ID token all the same.
  if (typeof template !== 'string' || issuerTemplate !== null || metadata?.token_endpoint !== undefined) {
    return [];
  }
  return [
    everywhere(
      'error',
      'issuer-template',
      `${written} is not one issuer: it stands for many tenants, and each has its own.`,
      `For the people of one tenant, put its id into "issuer". For those of every tenant, use the profile ${JSON.stringify(name)}.`,
    ),
  ];
}

function findUnverifiedEmail({ allowed }: Provider, { title, limits }: KnownProvider): Finding[] {
  const limit = limits.find(({ kind }) => kind === 'verified-email-missing');
  if (allowed['email'] === undefined || limit === undefined) return [];
  const text = `"allowed" asks for "email", and ${title} does not say which addresses are verified: nobody could sign in.`;
  return [everywhere('error', 'email-unverified', text, 'Use another claim in "allowed".')];
}

function findMissingLifetime(
  { refreshTokenSeconds, scope }: Provider,
  { title, settings }: KnownProvider,
): Finding[] {
  const known = settings?.['refreshTokenSeconds'];
  if (typeof known !== 'number' || refreshTokenSeconds !== null) return [];
  if (!scope.split(' ').includes('offline_access')) return [];
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
  const preset = settings?.['scope'];
  const limit = limits.find(({ kind }) => kind === 'scope-refused');
  if (typeof preset !== 'string' || limit === undefined) return [];
  const further = scope.split(' ').filter((name) => !preset.split(' ').includes(name));
  if (further.length === 0) return [];
  return [
    everywhere(
      'warning',
      'scope',
      `${title} may refuse the scope ${further.map((name) => JSON.stringify(name)).join(', ')}.`,
      `The scope with which it works is ${JSON.stringify(preset)}.`,
    ),
  ];
}

/** Settings of the profile with findings of their own, or that the findings of discovery explain better. */
const explained: readonly string[] = ['issuer', 'issuerTemplate', 'refreshTokenSeconds', 'scope', 'origins'];

/** Settings with which the provider works, if the configuration has others and names no profile. */
function findOtherSettings(provider: Provider, { name, known }: Recognized): Finding[] {
  const members = Object.entries(known.settings ?? {});
  const different = members.filter(
    ([setting, value]) =>
      !explained.includes(setting) && !hasValue(provider[setting as keyof Provider], value),
  );
  if (different.length === 0) return [];
  const settings = different.map(
    ([setting, value]) => `${JSON.stringify(setting)}: ${JSON.stringify(value)}`,
  );
  return [
    everywhere(
      'warning',
      'profile-settings',
      `${known.title} is known to need settings that the configuration does not have: ${settings.join(', ')}.`,
      `Add "profile": ${JSON.stringify(name)} or these settings.`,
    ),
  ];
}

/** Whether a setting is a preset one. Of an object, each member that is preset. */
function hasValue(value: unknown, preset: unknown): boolean {
  if (typeof preset !== 'object' || preset === null || Array.isArray(preset)) {
    return JSON.stringify(value) === JSON.stringify(preset);
  }
  const members = (value ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(preset).every(([name, member]) => hasValue(members[name], member));
}

function toLimits({ limits }: KnownProvider): Finding[] {
  return limits.map(({ text }) => everywhere('note', 'limit', text));
}
