// Examines a provider that differs from a healthy one, and tests which mistake the doctor finds.

import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { examineProvider } from '../../tools/doctor/examine.ts';
import type { Finding } from '../../tools/doctor/finding.ts';
import type { ProviderReport } from '../../tools/doctor/report.ts';
import {
  createHealthyProvider,
  issuer,
  oauthError,
  type Replaced,
  type SentRequest,
} from './healthy-provider.ts';

export const identity = { key: 'AAAA', browser_specific_settings: { gecko: { id: 'acme@acme.example' } } };
export const acme = { id: 'acme', name: 'Acme', issuer, clientId: 'acme-client' };

export type Settings = Readonly<Record<string, unknown>>;

/** The doctor's report about a provider, with the requests that it sent. `replaced` is its difference from a healthy one. */
export async function examine(replaced: Replaced = {}, settings: Settings = {}, more: object = {}) {
  const [provider] = readConfig({ providers: [{ ...acme, ...settings }] }).providers;
  if (provider === undefined) throw new Error('The configuration has no provider.');
  const { fetch, requests } = createHealthyProvider(replaced);
  const report = await examineProvider({
    provider,
    profileName: null,
    identity,
    edgeId: null,
    knownProviders: {},
    network: { fetch, nowMs: Date.now },
    ...more,
  });
  return { report, requests };
}

export const bad = ({ findings }: ProviderReport) => findings.filter(({ severity }) => severity !== 'ok');

export const isFirefox = ({ origin }: SentRequest) => origin?.startsWith('moz-extension://') === true;
export const isExtension = ({ origin }: SentRequest) => origin !== null && origin.includes('-extension://');
export const answerWhen =
  (matches: (request: SentRequest) => boolean, one: Answer, other: Answer): Answer =>
  (request) =>
    (matches(request) ? one : other)(request);
export type Answer = NonNullable<Replaced['answers']>[string];

export const healthyToken = oauthError('invalid_grant');
export const firefoxUri = /extensions\.allizom\.org/;

/** A mistake, and what the doctor says about it. */
interface Mistake {
  readonly title: string;
  readonly replaced?: Replaced;
  readonly settings?: Settings;
  readonly finds: Partial<Omit<Finding, 'text' | 'remedy'>> & {
    readonly code: Finding['code'];
    readonly text: RegExp;
    readonly remedy?: RegExp;
  };
}

/** Where mistakes do harm. */
type Outlooks = Readonly<Record<'chrome' | 'firefox', 'works' | 'unknown' | 'cannot-work'>>;

export const broken: Outlooks = { chrome: 'cannot-work', firefox: 'cannot-work' };
export const brokenInFirefox: Outlooks = { chrome: 'works', firefox: 'cannot-work' };
export const open: Outlooks = { chrome: 'unknown', firefox: 'unknown' };
export const less: Outlooks = { chrome: 'works', firefox: 'works' };

/** Tests each of `mistakes`, which are in one part of a provider and do the same harm. */
export function testMistakes(where: string, outlooks: Outlooks, mistakes: readonly Mistake[]): void {
  describe(`a mistake in the ${where}`, () => {
    test.each(mistakes.map((mistake) => [mistake.title, mistake] as const))(
      'recognizes %s',
      async (_title, { replaced, settings, finds: { text, remedy, ...rest } }) => {
        const { report } = await examine(replaced, settings);
        expect(report.findings).toContainEqual(
          expect.objectContaining({
            ...rest,
            text: expect.stringMatching(text),
            ...(remedy !== undefined && { remedy: expect.stringMatching(remedy) }),
          }),
        );
        expect(report.outlook).toEqual(outlooks);
      },
    );
  });
}
