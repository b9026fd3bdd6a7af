// The needs of a provider before there is a configuration for it: by its profile, and without asking it.

import { findNearest } from '../../src/config/nearest.ts';
import { checkIssuer } from '../../src/config/url.ts';
import type { PresetProfile } from '../../src/providers/profile.ts';
import { loadProfiles, profiles } from '../build/profiles.ts';
import { toExampleProvider, toOutline } from '../profile-outline.ts';
import { findIssuerRemedy } from './configuration.ts';
import { printSaid, wrap } from './lines.ts';
import { printRegister } from './print.ts';
import { toRegister } from './report.ts';
import { toTargets, type ExtensionIds } from '../redirect-uris.ts';

/** A table of all profiles, in lines. */
export function listProviders(): readonly string[] {
  const rows = loadProfiles().map(({ name, profile }) => {
    const { flow, redemption } = toOutline(profile);
    const how = flow === null ? ['cannot be used directly', '–'] : [flow, redemption.short];
    return [name, profile.title, ...how];
  });
  const table = [['profile', 'provider', 'signs in with', 'redeems a code in'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)));
  return table.map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
}

/** The needs of a provider with this profile, in lines. Throws an Error of one line if the profile or the issuer is wrong. */
export function describeNeeds(name: string, issuer: string | null, ids: ExtensionIds): readonly string[] {
  const profile = findPreset(name);
  if (typeof profile === 'string') throw new Error(`--provider: ${profile}`);
  const mistake = findIssuerMistake(profile, issuer);
  if (mistake !== null) throw new Error(`--issuer: ${mistake}`);
  const example = toExampleProvider(name, profile);
  const provider = issuer === null || issuer === profile.settings.issuer ? example : { ...example, issuer };
  return [
    ...describeProfile(profile, name, ids),
    '',
    'For "providers" in src/config.json, with your values in place of "<…>":',
    ...JSON.stringify(provider, null, 2).split('\n'),
    '',
    'Then run `npm run doctor`, which asks the provider.',
  ];
}

/** The facts about a provider, and the values to register there for the provider with this id. */
export function describeProfile(profile: PresetProfile, id: string, ids: ExtensionIds): readonly string[] {
  const { flow, scope } = toOutline(profile);
  const { firefoxRedirect = 'extensions.allizom.org' } = profile.settings;
  const targets = toTargets(ids, { id, firefoxRedirect });
  return [
    `${profile.title}, signs in with: ${flow}`,
    ...wrap(`Scope: ${scope === '' ? 'none' : scope}`, '  '),
    ...profile.limits.flatMap(({ text }) => printSaid('note', text)),
    ...printRegister(id, toRegister(targets, scope, profile)),
  ];
}

/** The profile of this name, or why no configuration can use it. */
export function findPreset(name: string): PresetProfile | string {
  const found = profiles.find(name);
  if (found?.use === 'preset') return found;
  if (found !== null) return `${found.title} can't be used directly. ${found.refusal}`;
  const nearest = findNearest(name, profiles.names());
  const advice = nearest ? `Did you mean "${nearest}"?` : '`npm run doctor -- --list` shows all profiles.';
  return `there is no profile ${JSON.stringify(name)}. ${advice}`;
}

/** The mistake in an issuer for this profile; null if there is none. */
export function findIssuerMistake(profile: PresetProfile, issuer: string | null): string | null {
  if (issuer === null) {
    const ask = profile.asks.find(({ setting }) => setting === 'issuer');
    return ask === undefined ? null : `missing; expected ${ask.expected}.`;
  }
  const found = `found ${JSON.stringify(issuer)};`;
  const remedy = findIssuerRemedy(issuer, profile, loadProfiles());
  if (remedy !== null) return `${found} that is not an issuer of ${profile.title}. ${remedy}`;
  const fault = checkIssuer(issuer);
  return fault === null ? null : `${found} expected ${fault}.`;
}
