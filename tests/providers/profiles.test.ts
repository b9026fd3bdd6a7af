// The form of each profile, those of the team included.

import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { applyProfiles } from '../../src/config/profiles.ts';
import { checkIssuer } from '../../src/config/url.ts';
import type { Fact, Profile } from '../../src/providers/profile.ts';
import { loadProfiles, profiles } from '../../tools/build/profiles.ts';
import { acme, problemsOf } from '../support/samples.ts';

const all = loadProfiles();

/** An issuer with a value in each place where the example has "<…>". */
const toIssuer = ({ issuers }: Profile) =>
  issuers.example.replaceAll(/<([^>]+)>/g, (_placeholder, part: string) =>
    part.endsWith(' id') ? '11111111-2222-4333-8444-555555555555' : 'acme',
  );

describe.each(all)('the profile $name', ({ name, profile }) => {
  test('has an example of an issuer that the configuration takes', () => {
    expect(checkIssuer(toIssuer(profile))).toBeNull();
  });

  test('is recognized by its issuer, which is none of its mistakes', () => {
    const { patterns, mistakes } = profile.issuers;
    const issuer = toIssuer(profile);
    expect(patterns.length === 0 || patterns.some((pattern) => pattern.test(issuer))).toBe(true);
    expect(mistakes.filter(({ pattern }) => pattern.test(issuer))).toEqual([]);
  });

  test('is the only one with this issuer', () => {
    const issuer = toIssuer(profile);
    const others = all.filter(({ profile: { issuers } }) =>
      issuers.patterns.some((pattern) => pattern.test(issuer)),
    );
    expect(others.map((other) => other.name).filter((other) => other !== name)).toEqual([]);
  });

  test('has patterns that keep no state from one issuer to the next', () => {
    const { patterns, mistakes } = profile.issuers;
    const found = [...patterns, ...mistakes.map(({ pattern }) => pattern)];
    expect(found.filter(({ flags }) => /[gy]/.test(flags))).toEqual([]);
  });

  test('uses no placeholder but those for redirect URIs and origin', () => {
    const found = profile.registration.steps.flatMap((step) => step.match(/\{[^}]*\}/g) ?? []);
    const known = [
      '{redirectUri:chrome}',
      '{redirectUri:firefox}',
      '{origin:chrome}',
      '{ "tid": ["<tenant id>"] }',
    ];
    expect(found.filter((placeholder) => !known.includes(placeholder))).toEqual([]);
  });

  test('says in whole sentences what to register and what does not work', () => {
    const { registration, limits, facts, issuers } = profile;
    const sentences = [
      ...registration.steps,
      ...limits.map(({ text }) => text),
      ...facts.map(({ text }) => text),
      ...issuers.mistakes.map(({ advice }) => advice),
      ...(profile.use === 'refused' ? [profile.refusal] : []),
    ];
    expect(sentences.filter((sentence) => !/^["A-Z].*[.]$/.test(sentence))).toEqual([]);
  });

  test('names where each fact comes from, and when', () => {
    expect(profile.facts.length).toBeGreaterThan(0);
    expect(profile.facts.filter((fact) => !isDated(fact))).toEqual([]);
  });
});

describe.each(all.filter(({ profile }) => profile.use === 'preset'))(
  'the usable profile $name',
  ({ profile }) => {
    test('says where to register the redirect URIs of both browsers', () => {
      const text = profile.registration.steps.join(' ');
      expect(text).toContain('{redirectUri:chrome}');
      expect(text).toContain('{redirectUri:firefox}');
      expect(text).toContain('"clientId"');
    });

    test('has an issuer or asks for it', () => {
      if (profile.use !== 'preset') return;
      const { settings, asks } = profile;
      expect(settings.issuer !== undefined || asks.some(({ setting }) => setting === 'issuer')).toBe(true);
      expect(asks.filter(({ setting }) => setting in settings)).toEqual([]);
    });

    test('has settings that the configuration takes', () => {
      if (profile.use !== 'preset') return;
      const own = { id: 'acme', name: 'Acme', clientId: 'abc', profile: 'acme' };
      const [provider] = readConfig(
        { providers: [{ issuer: toIssuer(profile), ...own, ...profile.settings }] },
        (json) => applyProfiles(json, { names: () => ['acme'], find: () => ({ ...profile, asks: [] }) }),
      ).providers;
      expect(provider).toMatchObject(profile.settings);
    });
  },
);

describe.each(all.filter(({ profile }) => profile.use === 'refused'))(
  'the refused profile $name',
  ({ name, profile }) => {
    test('is refused with its reason', () => {
      if (profile.use !== 'refused') return;
      expect(
        problemsOf({ providers: [{ ...acme, profile: name }] }, (json) => applyProfiles(json, profiles)),
      ).toEqual([`providers[0].profile: found "${name}"; refused: ${profile.refusal}`]);
    });
  },
);

function isDated(fact: Fact): boolean {
  const hasSource = fact.how === 'from memory' || /^https:\/\/\S+$/.test(fact.source);
  return hasSource && /^20\d\d-\d\d(-\d\d)?$/.test(fact.date);
}
