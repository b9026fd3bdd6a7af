// Lays the settings of each provider over those of the profile that it names. Only the build does so: no profile is part of the
// extension.

import type { PresetProfile, Profile } from '../providers/profile.ts';
import { quote, type Mistake, type Path } from './config-error.ts';
import { findNearest } from './nearest.ts';
import { memberOf } from './value-schema.ts';
import { isObject } from '../session/shape.ts';

/** Where the profiles come from. */
export interface Profiles {
  names(): readonly string[];
  /** Returns null if there is no profile with this name. */
  find(name: string): Profile | null;
}

/**
 * Applies the profiles. A provider's own setting wins over that of its profile. Objects, such as
 * `authorizationParameters`, are merged by key; lists are replaced. Never throws.
 */
export function applyProfiles(json: unknown, profiles: Profiles) {
  const own = memberOf(json, 'providers');
  if (!isObject(json) || !Array.isArray(own))
    return { json, mistakes: [], explain: (mistake: Mistake) => mistake };
  const results = own.map((provider: unknown, index) => applyProfile(provider, index, profiles));
  const applied = { ...json, providers: results.map(({ provider }) => provider) };
  return {
    /** The configuration, not yet validated. */
    json: applied,
    /** Names that are unknown or refused, and missing settings that a profile requires from the team. */
    mistakes: results.flatMap(({ mistakes }) => mistakes),
    /** Names the profile that a mistake comes from, if the configuration itself doesn't have the value. */
    explain: (mistake: Mistake) => explainOrigin(mistake, json, applied),
  };
}

function applyProfile(
  provider: unknown,
  index: number,
  profiles: Profiles,
): { readonly provider: unknown; readonly mistakes: readonly Mistake[] } {
  const name = textOf(provider, 'profile');
  // The schema reports a name that isn't a text.
  if (!isObject(provider) || name === null) return { provider, mistakes: [] };
  const path = ['providers', index];
  const profile = profiles.find(name);
  if (profile?.use === 'preset') {
    return { provider: merge(profile.settings, provider), mistakes: findUnanswered(profile, provider, path) };
  }
  const text =
    profile === null ? explainUnknown(name, profiles) : `found ${quote(name)}; refused: ${profile.refusal}`;
  return { provider, mistakes: [{ path: [...path, 'profile'], text }] };
}

function explainUnknown(name: string, profiles: Profiles): string {
  const suggestion = findNearest(name, profiles.names());
  const text = `found ${quote(name)}; expected the name of a file in src/providers, such as "entra"`;
  return suggestion === undefined ? text : `${text}; did you mean "${suggestion}"?`;
}

function findUnanswered({ asks }: PresetProfile, provider: object, path: Path): Mistake[] {
  return asks
    .filter(({ setting }) => !Object.hasOwn(provider, setting))
    .map(({ setting, expected }) => ({ path: [...path, setting], text: `missing; expected ${expected}` }));
}

function merge(settings: object, provider: Readonly<Record<string, unknown>>): object {
  const merged: Record<string, unknown> = { ...settings, ...provider };
  for (const [key, preset] of Object.entries(settings)) {
    const value = merged[key];
    if (isObject(preset) && isObject(value)) merged[key] = { ...preset, ...value };
  }
  return merged;
}

function explainOrigin({ path, text }: Mistake, json: unknown, applied: unknown): Mistake {
  const provider = path.slice(0, 2);
  const name = textOf(lookUp(json, provider), 'profile');
  if (name === null) return { path, text };
  const isPreset = (setting: Path) =>
    lookUp(json, setting) === undefined && lookUp(applied, setting) !== undefined;
  // A setting of the profile, or one that doesn't go with a setting of the profile.
  const named = [...text.matchAll(/"([A-Za-z]{1,40})"/g)].map(([, setting = '']) => [...provider, setting]);
  const isOwn = lookUp(json, path) !== undefined && !named.some(isPreset);
  return { path, text: isOwn ? text : `${text} (profile ${quote(name)})` };
}

function lookUp(json: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => {
    return Array.isArray(value) ? (value[Number(key)] as unknown) : memberOf(value, String(key));
  }, json);
}

/** A setting of a provider; null if it has none, or something that isn't a text. */
function textOf(provider: unknown, setting: string): string | null {
  const value = memberOf(provider, setting);
  return typeof value === 'string' ? value : null;
}
