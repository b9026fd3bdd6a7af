// Examines every provider of a configuration: its settings, and, unless offline, how it responds to harmless requests.

import type { Config, Provider } from '../../src/config/provider.ts';
import { loadProfiles } from '../build/profiles.ts';
import { readJson } from '../build/read-text.ts';
import { readManifest } from '../build/read-manifest.ts';
import { isDetour, recognize, toNamedOrigins, toParts } from './configuration.ts';
import { askDiscovery } from './discovery.ts';
import { findAll, mergeFindings, rowsFor, type Finding } from './finding.ts';
import { examineKeys } from './keys.ts';
import type { examinePolicyText } from './policy.ts';
import { toOutlook, toRegister, toReport, type ProviderReport, type Report } from './report.ts';
import { examinePage } from './sign-in-page.ts';
import { compareStatements, type Asked, type Examined } from './statements.ts';
import { toFacts } from '../profile-outline.ts';
import { toExtensionIds, toTargets, type ExtensionIds, type Target } from '../redirect-uris.ts';
import { examineToken, takesRefreshTokens } from './token-endpoint.ts';
import { createGate, type Fetch, type Gate } from './world.ts';

/** A configuration to examine, and how. */
export interface Consultation {
  readonly config: Config;
  readonly configPath: string;
  /** An administrator's policy, whose providers are examined in place of the configuration's. */
  readonly policy?: ReturnType<typeof examinePolicyText> | null;
  /** The extension. Without them, the one that manifest.json describes. */
  readonly ids?: ExtensionIds;
  /** Null offline. */
  readonly network: Fetch | null;
}

/** Examines the providers side by side. Throws a `FileError` if manifest.json is invalid. */
export async function examineConfig(consultation: Consultation): Promise<Report> {
  const { config, configPath, policy, network, ids = toExtensionIds(readManifest()) } = consultation;
  const profiles = loadProfiles();
  // The reader has validated the file.
  const { providers: written } = readJson(configPath) as {
    readonly providers: readonly { readonly profile?: string }[];
  };
  const findProfile = ({ id, issuer }: Provider) => {
    // A policy may put a different provider in its place.
    const index = config.providers.findIndex((built) => built.id === id && built.issuer === issuer);
    return written[index]?.profile ?? null;
  };
  const providers = await Promise.all(
    (policy?.inForce ?? config.providers).map((provider) =>
      examineProvider({ provider, profileName: findProfile(provider), ids, profiles, network }),
    ),
  );
  const notes = config.policies ? [] : [noPolicies];
  return toReport(configPath, network === null ? 'offline' : 'online', providers, policy?.report, notes);
}

const noPolicies =
  'Policies are left out of this build ("policies": false): administrators can\'t choose the provider or who may sign in.';

const severities: readonly Finding['severity'][] = ['ok', 'error', 'warning', 'note'];

const notAsked: Asked = { subject: null, shown: [], takesRefreshTokens: false, skewSeconds: 0 };

/** Examines a provider. Its requests sign no one in, and offline it sends none. */
export async function examineProvider({
  network,
  ...examined
}: Examined & Pick<Consultation, 'network'>): Promise<ProviderReport> {
  const { provider, profileName, ids, profiles } = examined;
  const recognized = recognize(provider, profileName, profiles);
  const targets = toTargets(ids, provider);
  const asked =
    network === null
      ? notAsked
      : await ask(provider, targets, createGate(network, toNamedOrigins(provider, recognized)), {
          // No more requests to a provider that can't work, unless this issuer proves to be a different one.
          isRefused: recognized?.profile.use === 'refused' && !isDetour(provider),
        });
  const stated = compareStatements({ ...examined, recognized, ...asked });
  const findings = mergeFindings(
    [...asked.shown, ...stated].toSorted(
      (one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity),
    ),
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
      title: recognized.profile.title,
      facts: toFacts(recognized.profile),
    },
    outlook: Object.fromEntries(
      targets.map((target) => [target.name, toOutlook(target.name, mode, findings)]),
    ),
    findings,
    register: toRegister(targets, provider.scope, recognized?.profile ?? null),
  };
}

async function ask(
  provider: Provider,
  targets: readonly Target[],
  gate: Gate,
  { isRefused }: { readonly isRefused: boolean },
): Promise<Asked> {
  const { subject, findings } = await askDiscovery(provider, gate);
  if (isRefused && !findings.some(({ code }) => code === 'discovery')) return notAsked;
  if (subject === null) return { ...notAsked, shown: findings };
  const has = toParts(provider);
  const each = async (examine: (target: Target) => Promise<readonly Finding[]>) =>
    (await Promise.all(targets.map(examine))).flat();
  const keys = has.idToken ? await examineKeys(subject) : [];
  const skewSeconds = gate.clock.skewSeconds() ?? 0;
  const pages = has.window ? await each((target) => examinePage(subject, target)) : [];
  const shows = (name: Finding['code']) => pages.some(({ code }) => code === name);
  const seen = shows('client-unknown') ? 'unknown' : shows('redirect-uri') ? 'known' : 'not-seen';
  const tokens = has.code ? await each((target) => examineToken(subject, target, seen)) : [];
  const unasked = [...gate.notContacted].flatMap((origin) => findAll([notContactedRow], origin));
  const { grant_types_supported: grants } = subject.document;
  const [first] = targets;
  const mayTake = has.code && Array.isArray(grants) && !grants.includes('refresh_token');
  return {
    subject,
    shown: [...findings, ...keys, ...tokens, ...pages, ...unasked],
    takesRefreshTokens: mayTake && first !== undefined && (await takesRefreshTokens(subject, first)),
    skewSeconds,
  };
}

/** A host that only the discovery document names. The evidence is its origin. */
const notContactedRow = rowsFor<string>().warning('not-checked', () => true)`
  Only the discovery document names ${(origin) => origin}, so the doctor has sent nothing there.
  If that host is your provider's, name it in "origins", or the endpoint in "metadata", and run this again. Or sign in once and see.`;
