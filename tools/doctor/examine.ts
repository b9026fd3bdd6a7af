// Examines one provider: its settings, and unless offline what it answers to harmless requests.

import type { Provider } from '../../src/config/provider.ts';
import type { DiscoveryDocument } from '../../src/oidc/discover.ts';
import { createProviderClient, futureToleranceSeconds } from '../../src/oidc/provider-client.ts';
import type { ExtensionIdentity } from '../redirect-uris.ts';
import { examineAdvertised, wantsClientSecret } from './advertised.ts';
import { examineConfigured } from './configured.ts';
import { askDiscovery } from './discovery.ts';
import { everywhere, mergeFindings, type Finding, type TargetName } from './finding.ts';
import { toParts, type Part } from './flow.ts';
import { examineKeys } from './keys.ts';
import { recognize, type KnownProviders, type Recognized } from './known-provider.ts';
import { toOutlook, type ProviderReport, type Register } from './report.ts';
import { toExtensionIds, toTargets, type ExtensionIds, type Target } from './targets.ts';
import { secretRemedy, type Verdict } from './token-answer.ts';
import { probeToken } from './token-probe.ts';
import { probeWindow } from './window-probe.ts';
import { createDoctorWorld, type WorldParts } from './world.ts';

export interface Examination {
  readonly provider: Provider;
  /** The name of the profile in the configuration, or null. */
  readonly profileName: string | null;
  /** The manifest of the extension, or the ids of one that another project builds. */
  readonly identity: ExtensionIdentity | ExtensionIds;
  /** The id that Edge Add-ons gave to the extension, or null. */
  readonly edgeId: string | null;
  readonly knownProviders: KnownProviders;
  /** Null offline. */
  readonly network: WorldParts | null;
}

/** Examines a provider. It sends no request that signs anybody in, and none offline. */
export async function examineProvider(examination: Examination): Promise<ProviderReport> {
  const { provider, profileName, identity, edgeId, knownProviders, network } = examination;
  const recognized = recognize(provider, profileName, knownProviders);
  const ids = 'chromeId' in identity ? identity : toExtensionIds(identity);
  const targets = toTargets(ids, provider, edgeId);
  const missingKey = 'chromeId' in identity ? [] : findMissingKey(identity);
  const configured = [...missingKey, ...examineConfigured(provider, recognized, profileName)];
  // A provider that cannot work need not be asked.
  const isRefused = configured.some(({ code }) => code === 'provider-refused');
  const answered = network === null || isRefused ? [] : await examineAnswers(provider, targets, network);
  const findings = joinFindings(answered, configured, recognized);
  const mode = network === null ? 'offline' : 'online';
  const outlook = Object.fromEntries(targets.map(({ name }) => [name, toOutlook(name, mode, findings)]));
  return {
    id: provider.id,
    name: provider.name,
    issuer: provider.issuer,
    profile: toFacts(recognized),
    outlook,
    findings,
    register: toRegister(targets, recognized),
  };
}

const severities: readonly Finding['severity'][] = ['ok', 'error', 'warning', 'note'];

/** Joins the findings of both sources, and leaves out what one of them knows better. */
function joinFindings(
  answered: readonly Finding[],
  configured: readonly Finding[],
  recognized: Recognized | null,
): readonly Finding[] {
  // The kinds of a profile's limits are codes of findings.
  const kinds = recognized?.known.limits.map(({ kind }) => kind) ?? [];
  const isKnown = (finding: Finding) =>
    finding.severity !== 'ok' &&
    (configured.some((known) => known.code === finding.code && bySeverity(known, finding) <= 0) ||
      (finding.severity === 'note' && kinds.includes(finding.code)));
  const isScopeAccepted = answered.some(({ code, severity }) => code === 'redirect-uri' && severity === 'ok');
  const all = [
    ...answered.filter((finding) => !isKnown(finding)),
    ...configured.filter(({ code }) => code !== 'scope' || !isScopeAccepted),
  ];
  return mergeFindings(all.toSorted(bySeverity));
}

function bySeverity(one: Finding, other: Finding): number {
  return severities.indexOf(one.severity) - severities.indexOf(other.severity);
}

function findMissingKey({ key }: ExtensionIdentity): Finding[] {
  if (key !== undefined) return [];
  return [
    {
      severity: 'warning',
      code: 'key-missing',
      targets: ['chrome'],
      text: 'manifest.json has no "key", so the redirect URI of Chrome and Edge depends on the folder of the build, and cannot be checked.',
      remedy:
        '`npm run rename` makes a key. For a build from a store, copy the key that its dashboard shows.',
    },
  ];
}

/** Asks the provider. */
async function examineAnswers(
  provider: Provider,
  targets: readonly Target[],
  network: WorldParts,
): Promise<readonly Finding[]> {
  const discovered = await askDiscovery(provider, createDoctorWorld(network, null));
  if (discovered.status === 'failed') return discovered.findings;
  const { provider: corrected, document, metadata } = discovered;
  const parts = toParts(corrected);
  const each = <Result>(part: Part, probe: (target: Target) => Promise<Result>) =>
    Promise.all(parts.includes(part) ? targets.map(probe) : []);
  const keysWorld = createDoctorWorld(network, null);
  const keysClient = createProviderClient(keysWorld, corrected);
  const [keys, verdicts, windows] = await Promise.all([
    Promise.all(parts.includes('id-token') ? [examineKeys(keysClient, metadata, keysWorld)] : []),
    each('code', (target) => probeToken(network, corrected, metadata, target)),
    each('window', (target) => probeWindow(network, corrected, metadata, target)),
  ]);
  const advertised = examineAdvertised(corrected, document, metadata, parts);
  const refusesScope = windows.some(({ code, severity }) => code === 'scope' && severity === 'error');
  return [
    ...discovered.findings,
    ...keys,
    ...joinVerdicts(verdicts, windows, targets),
    ...windows,
    ...(parts.includes('window') ? [] : [notChecked]),
    // The provider has said it itself.
    ...advertised.filter(({ code }) => code !== 'scope' || !refusesScope),
    ...(parts.includes('code') ? findWantedSecret(document, verdicts) : []),
    ...findClock(discovered.skewSeconds ?? keysClient.skewSeconds()),
  ];
}

/** A request for a device code would leave one open at the provider. */
const notChecked = everywhere(
  'warning',
  'not-checked',
  'The device flow is not checked.',
  'Sign in once and see.',
);

/** The findings of the token endpoint, with the answers of the authorization endpoint in mind. */
function joinVerdicts(
  verdicts: readonly Verdict[],
  windows: readonly Finding[],
  targets: readonly Target[],
): readonly Finding[] {
  return verdicts.flatMap((verdict, index): readonly Finding[] => {
    const { name } = targets[index] ?? { name: 'chrome' };
    switch (verdict.kind) {
      case 'healthy':
        return [
          {
            ...everywhere(
              'ok',
              'token-endpoint',
              'The token endpoint accepts the client and the Origin of the extension.',
            ),
            targets: [name],
          },
        ];
      case 'client-refused':
        return explainRefusedClient(verdict.quoted, windows);
      case 'origin-refused':
        return [];
      case 'found':
        return verdict.findings;
    }
  });
}

function explainRefusedClient(quoted: string, windows: readonly Finding[]): readonly Finding[] {
  // Only a client that the provider knows gets an answer at its redirect URI.
  if (windows.some(({ code }) => code === 'redirect-uri')) {
    const text = `The provider knows the client and wants a secret of it: ${quoted}.`;
    return [everywhere('error', 'secret-wanted', text, secretRemedy)];
  }
  if (windows.some(({ code }) => code === 'client-unknown')) return [];
  return [
    everywhere(
      'error',
      'secret-wanted',
      `The token endpoint refuses the client: ${quoted}. It wants a secret, or it does not know the client ID.`,
      `Compare "clientId". ${secretRemedy}`,
    ),
  ];
}

/** A provider that lists only ways with a secret, and has not shown that it does without. */
function findWantedSecret(document: DiscoveryDocument, verdicts: readonly Verdict[]): Finding[] {
  const isTold = verdicts.some(
    (verdict) =>
      verdict.kind === 'client-refused' ||
      (verdict.kind === 'found' && verdict.findings.some(({ code }) => code === 'secret-wanted')),
  );
  const isHealthy = verdicts.some(({ kind }) => kind === 'healthy');
  if (isTold || isHealthy || !wantsClientSecret(document)) return [];
  return [
    everywhere(
      'warning',
      'secret-wanted',
      'The provider lists only ways to sign in with a client secret, which an extension cannot keep.',
      secretRemedy,
    ),
  ];
}

function findClock(skewSeconds: number | null): Finding[] {
  if (skewSeconds === null || Math.abs(skewSeconds) <= futureToleranceSeconds) return [];
  const minutes = Math.round(Math.abs(skewSeconds) / 60);
  return [
    everywhere(
      'warning',
      'clock',
      `The clock of the provider is ${minutes} minutes ${skewSeconds > 0 ? 'ahead of' : 'behind'} that of this computer.`,
      'Set date and time of the wrong one automatically. A device whose clock is wrong can fail to sign in.',
    ),
  ];
}

function toFacts(recognized: Recognized | null): ProviderReport['profile'] {
  if (recognized === null) return null;
  const { name, known } = recognized;
  return { name, title: known.title, facts: known.facts };
}

function toRegister(targets: readonly Target[], recognized: Recognized | null): Register {
  const find = (name: TargetName) => targets.find((target) => target.name === name);
  const fill = (step: string) =>
    step
      .replaceAll('{redirectUri:chrome}', find('chrome')?.redirectUri ?? 'the redirect URI of Chrome')
      .replaceAll('{redirectUri:firefox}', find('firefox')?.redirectUri ?? 'the redirect URI of Firefox')
      .replaceAll('{origin:chrome}', find('chrome')?.origin ?? 'the origin of the extension in Chrome');
  const entries = (toValue: (target: Target) => string) =>
    Object.fromEntries(targets.map((target) => [target.name, toValue(target)]));
  const registration = recognized?.known.registration;
  return {
    redirectUris: entries(({ redirectUri }) => redirectUri),
    origins: entries(({ name, origin }) => (name === 'firefox' ? '*' : origin)),
    console: registration?.console ?? null,
    steps: registration?.steps.map(fill) ?? [],
  };
}
