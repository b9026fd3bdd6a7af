// Finds out how a setting can be used, by asking the reader of the configuration and that of a policy.

import { allRules, readConfig, type Config } from '../../src/config/config.ts';
import { isObject } from '../../src/session/shape.ts';
import { readPolicy } from '../../src/config/policy.ts';
import { profiles } from '../../tools/build/profiles.ts';

/** The flows in which a user signs in, by the setting that chooses them. */
export const flows = ['code', 'id-token', 'oauth', 'device'] as const;

export type FlowName = (typeof flows)[number];

/**
 * Whether a policy may set it: `hosts` on hosts that the build may reach, `part` if the build contains what the setting
 * needs, `narrows` in addition to what the build says.
 */
export type PolicyUse = 'yes' | 'no' | 'hosts' | 'part' | 'narrows';

export interface Use {
  /** The flows in which it has an effect. */
  readonly flows: readonly FlowName[];
  readonly policy: PolicyUse;
}

/** Settings with values, as in a file. */
type Members = Readonly<Record<string, unknown>>;

export const acme = { id: 'acme', name: 'Acme', issuer: 'https://id.acme.example', clientId: 'latchkey' };

/** A provider of each flow. */
const providers: Readonly<Record<FlowName, Members>> = {
  code: acme,
  'id-token': { ...acme, responseType: 'id_token' },
  oauth: {
    ...acme,
    scope: '',
    userApi: { url: 'https://id.acme.example/me', subject: 'id' },
    metadata: {
      authorization_endpoint: 'https://id.acme.example/authorize',
      token_endpoint: 'https://id.acme.example/token',
    },
    // The host is named, because an example may have another issuer.
    origins: [acme.issuer],
  },
  device: { ...acme, deviceFlow: 'only' },
};

/** Settings that the reader accepts in a flow where they have no effect, or that choose another flow in their example. */
const withoutEffect: Readonly<Record<string, readonly FlowName[]>> = {
  apiToken: ['code'],
  firefoxRedirect: ['device'],
  signInPrompt: ['device'],
  otherAccountPrompt: ['device'],
  par: ['device'],
  refreshTokenSeconds: ['device'],
  deviceFlow: ['code', 'oauth'],
  userApi: ['code'],
};

/** How the setting `name` of a provider is used, as in `example`. */
export function findProviderUse(name: string, example: Members): Use {
  return {
    flows: flows.filter(
      (flow) => !withoutEffect[name]?.includes(flow) && read({ providers: [toExample(flow, example)] }),
    ),
    policy: findPolicyUse(name, { version: 1, providers: [{ id: acme.id, ...example }] }),
  };
}

/** How a setting beside the providers is used, as in `example`. */
export function findConfigUse(name: string, example: Members): Use {
  return {
    flows: flows.filter((flow) => read({ providers: [providers[flow]], ...example })),
    policy: findPolicyUse(name, { version: 1, providers: [], ...example }),
  };
}

/** A provider of a flow with the settings of an example. */
function toExample(flow: FlowName, example: Members): Members {
  const { metadata, origins = [] } = providers[flow];
  return {
    ...providers[flow],
    ...example,
    origins: [origins, example['origins'] ?? []].flat(),
    ...(isObject(metadata) && { metadata: { ...metadata, ...(example['metadata'] as object) } }),
    // Each of the two kinds of provider refuses the other's scope.
    ...(flow === 'oauth' && 'scope' in example && { scope: String(example['scope']).replace('openid ', '') }),
    // An API takes the ID token only by the setting for it.
    ...(flow === 'id-token' && 'apiOrigins' in example && { apiToken: 'id_token' }),
  };
}

function findPolicyUse(name: string, policy: Members): PolicyUse {
  const problems = findProblems(policy, {});
  if (problems.length === 0) return name === 'allowed' ? 'narrows' : 'yes';
  if (findProblems(policy, { policyOrigins: ['https://login.tenant.example'] }).length > 0) return 'no';
  return problems.some((problem) => problem.includes('found the host')) ? 'hosts' : 'part';
}

/** The mistakes of a policy over a build for {@link acme} with further settings. */
function findProblems(policy: Members, built: Members): readonly string[] {
  const config = read({ providers: [acme], ...built });
  if (config === null) throw new Error('The configuration under the policy is refused.');
  const reading = readPolicy(policy, config, allRules);
  return reading.outcome === 'read' ? [] : reading.problems;
}

/** Returns null if the reader refuses it. */
function read(config: Members): Config | null {
  const reading = readConfig(config, profiles);
  return reading.outcome === 'read' ? reading.config : null;
}
