// Examines every provider of a configuration: its settings, and unless offline what it answers to harmless requests.

import { resolve } from 'node:path';
import type { Config, Provider } from '../../src/config/provider.ts';
import { createProviderClient } from '../../src/oidc/provider-client.ts';
import { parseJson } from '../build/parse-json.ts';
import { loadProfiles } from '../build/profiles.ts';
import { readText } from '../build/read-text.ts';
import { readIdentity } from '../product.ts';
import type { ExtensionIdentity } from '../redirect-uris.ts';
import { examineAdvertised } from './advertised.ts';
import { examineApis } from './apis.ts';
import { examineConfiguration, isDetour, toNamedOrigins, toParts, type Part } from './configuration.ts';
import { askDiscovery } from './discovery.ts';
import { findAll, mergeFindings, row, type Finding } from './finding.ts';
import { examineKeys } from './keys.ts';
import type { PolicyExamination } from './policy.ts';
import { recognize, type KnownProviders } from './recognize.ts';
import { toOutlook, toRegister, toReport, type ProviderReport, type Report } from './report.ts';
import { examinePage } from './sign-in-page.ts';
import { toExtensionIds, toTargets, type ExtensionIds, type Target } from './targets.ts';
import { askToken } from './token-endpoint.ts';
import { judgeToken } from './token-findings.ts';
import { createDoctorWorld, createGate, type Gate, type WorldParts } from './world.ts';

const root = resolve(import.meta.dirname, '../..');

/** A configuration to examine, and how. */
export interface Consultation {
  readonly config: Config;
  readonly configPath: string;
  /** An administrator's policy, whose providers are examined in place of the configuration's. */
  readonly policy?: PolicyExamination;
  /** The ids of an extension that another project builds; null for those of manifest.json. */
  readonly ids?: ExtensionIds | null;
  /** The id that Edge Add-ons gave to the extension; null if unknown. */
  readonly edgeId: string | null;
  /** Null offline. */
  readonly network: WorldParts | null;
}

/** Examines the providers side by side. Throws a `FileError` if manifest.json is invalid. */
export async function examineConfig(consultation: Consultation): Promise<Report> {
  const { config, configPath, policy, ids = null, edgeId, network } = consultation;
  const identity = ids ?? readIdentity();
  const knownProviders = Object.fromEntries(loadProfiles().map(({ name, profile }) => [name, profile]));
  const profileNames = readProfileNames(configPath);
  const findProfile = ({ id, issuer }: Provider) => {
    // A policy may name another provider in its place.
    const index = config.providers.findIndex((built) => built.id === id && built.issuer === issuer);
    return profileNames[index] ?? null;
  };
  const providers = await Promise.all(
    (policy?.inForce ?? config.providers).map((provider) => {
      const profileName = findProfile(provider);
      return examineProvider({ provider, profileName, identity, edgeId, knownProviders, network });
    }),
  );
  return toReport(configPath, network === null ? 'offline' : 'online', providers, policy?.report);
}

/** The profile that each provider of the file names; undefined for none. */
function readProfileNames(configPath: string): readonly (string | undefined)[] {
  const { value } = parseJson(readText(resolve(root, configPath), configPath), configPath);
  // The reader has validated the file.
  const { providers } = value as { readonly providers: readonly { readonly profile?: string }[] };
  return providers.map(({ profile }) => profile);
}

interface Examination extends Pick<Consultation, 'edgeId' | 'network'> {
  readonly provider: Provider;
  /** The name of the profile in the configuration, or null. */
  readonly profileName: string | null;
  /** The manifest of the extension, or the ids of one that another project builds. */
  readonly identity: ExtensionIdentity | ExtensionIds;
  readonly knownProviders: KnownProviders;
}

/** Examines a provider. It sends no request that signs anybody in, and none offline. */
export async function examineProvider(examination: Examination): Promise<ProviderReport> {
  const { provider, profileName, identity, edgeId, knownProviders, network } = examination;
  const recognized = recognize(provider, profileName, knownProviders);
  const ids = 'chromeId' in identity ? identity : toExtensionIds(identity);
  const targets = toTargets(ids, provider, edgeId);
  // A provider that cannot work need not be asked.
  const isRefused = recognized?.known.use === 'refused' && !isDetour(provider);
  const gate =
    network === null || isRefused ? null : createGate(network, toNamedOrigins(provider, recognized));
  const answered = gate === null ? [] : await examineAnswers(provider, targets, gate);
  const isAccepted = answered.some(({ code, severity }) => code === 'redirect-uri' && severity === 'ok');
  const request = isAccepted ? 'accepted' : 'not-known';
  const configured = [
    ...findAll([manifestRow], identity),
    ...examineConfiguration(provider, recognized, profileName, request, knownProviders),
    ...examineApis(provider, recognized?.known ?? null),
  ];
  // The kinds of a profile's limits are codes of findings.
  const kinds = recognized?.known.limits.map(({ kind }) => kind) ?? [];
  const findings = mergeFindings(
    joinFindings(answered, configured, kinds),
    targets.map(({ name }) => name),
  );
  const mode = network === null ? 'offline' : 'online';
  const { id, name, issuer } = provider;
  return {
    id,
    name,
    issuer,
    profile: recognized && {
      name: recognized.name,
      title: recognized.known.title,
      facts: recognized.known.facts,
    },
    outlook: Object.fromEntries(
      targets.map((target) => [target.name, toOutlook(target.name, mode, findings)]),
    ),
    findings,
    register: toRegister(targets, provider.scope, recognized?.known ?? null),
  };
}

const manifestRow = row.warning<ExtensionIdentity | ExtensionIds>(
  'key-missing',
  (identity) => !('chromeId' in identity) && identity.key === undefined,
  'manifest.json has no "key", so the redirect URI of Chrome and Edge depends on the folder of the build, and cannot be checked.',
  '`npm run rename` makes a key. For a build from a store, copy the key that its dashboard shows.',
);

const severities: readonly Finding['severity'][] = ['ok', 'error', 'warning', 'note'];

/** Joins the findings of both sources, and leaves out what one of them knows better. */
function joinFindings(
  answered: readonly Finding[],
  configured: readonly Finding[],
  kinds: readonly string[],
): readonly Finding[] {
  const rank = ({ severity }: Finding) => severities.indexOf(severity);
  const isKnown = (finding: Finding) =>
    (finding.severity === 'note' && kinds.includes(finding.code)) ||
    (finding.severity !== 'ok' &&
      configured.some((known) => known.code === finding.code && rank(known) <= rank(finding)));
  const all = [...answered.filter((finding) => !isKnown(finding)), ...configured];
  return all.toSorted((one, other) => rank(one) - rank(other));
}

/** Asks the provider. */
async function examineAnswers(
  configured: Provider,
  targets: readonly Target[],
  gate: Gate,
): Promise<readonly Finding[]> {
  const discovered = await askDiscovery(configured, gate);
  if (discovered.status === 'failed') return discovered.findings;
  const { provider, document, metadata } = discovered;
  const parts = toParts(provider);
  const each = <Result>(part: Part, ask: (target: Target) => Promise<Result>) =>
    Promise.all(parts.includes(part) ? targets.map(ask) : []);
  const world = createDoctorWorld(gate);
  const client = createProviderClient(world, provider);
  const [keys, tokens, pages] = await Promise.all([
    parts.includes('id-token') ? examineKeys(client, metadata, world) : [],
    each('code', (target) => askToken(gate, provider, metadata, target)),
    each('window', (target) => examinePage(gate, provider, metadata, target)),
  ]);
  const shows = (code: Finding['code']) => pages.flat().some((finding) => finding.code === code);
  const knows = shows('client-unknown') ? 'unknown' : shows('redirect-uri') ? 'known' : 'not-seen';
  const answers = [...keys, ...tokens.flatMap((token) => judgeToken(token, knows)), ...pages.flat()];
  const shown = answers.map(({ code }) => code);
  const skewSeconds = discovered.skewSeconds ?? client.skewSeconds() ?? 0;
  return [
    ...discovered.findings,
    ...answers,
    ...[...gate.notContacted].flatMap((origin) => findAll([notContactedRow], origin)),
    ...examineAdvertised({ provider, metadata, skewSeconds, shown }, document, parts),
  ];
}

/** A host that only the discovery document names. The evidence is its origin. */
const notContactedRow = row.warning<string>(
  'not-checked',
  () => true,
  (origin) => `Only the discovery document names ${origin}, so the doctor has sent nothing there.`,
  'If that host is your provider\'s, name it in "origins", or the endpoint in "metadata", and run this again. Or sign in once and see.',
);
