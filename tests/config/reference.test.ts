// Keeps docs/configuration-reference.md in step with the schema, and what it says of flows and policies with the readers.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FormatConfig } from 'oxfmt';
import { describe, expect, test } from 'vitest';
import { allRules } from '../../src/config/config.ts';
import { readPolicy } from '../../src/config/policy.ts';
import { configEntries, providerEntries } from '../../src/config/schema.ts';
import { parseConfig } from '../../tools/build/parse-config.ts';
import { referencePage, toReferencePage } from '../../tools/configuration-page.ts';
import { configUses, flows, providerUses, type FlowName } from '../../tools/setting-uses.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

test('docs/configuration-reference.md says what the schema says; tools/configuration.ts writes it', async () => {
  const style = JSON.parse(read('.oxfmtrc.json')) as FormatConfig;
  expect(read(referencePage)).toBe(await toReferencePage(style));
});

test('the reference has each setting of the schema, in its order', () => {
  const settings = [configEntries(), providerEntries()].flatMap((entries) => Object.keys(entries));
  const headings = [...read(referencePage).matchAll(/^### `(.*)`$/gm)].map(([, name]) => name);
  expect(headings).toEqual(settings.filter((key) => key !== '$schema'));
});

type Members = Readonly<Record<string, unknown>>;

const acme = { id: 'acme', name: 'Acme', issuer: 'https://id.acme.example', clientId: 'latchkey' };
const endpoints = {
  authorization_endpoint: 'https://id.acme.example/authorize',
  token_endpoint: 'https://id.acme.example/token',
};
const userApi = { url: 'https://id.acme.example/me', subject: 'id' };

/** A provider of each flow. */
const base: Readonly<Record<FlowName, Members>> = {
  code: acme,
  'id-token': { ...acme, responseType: 'id_token' },
  // The host is named, because an example may have another issuer.
  oauth: { ...acme, scope: '', userApi, metadata: endpoints, origins: [acme.issuer] },
  device: { ...acme, deviceFlow: 'only' },
};

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;

/** A provider of a flow with the example of a setting. */
function withExample(flow: FlowName, example: Members): Members {
  const { metadata, origins = [] } = base[flow];
  return {
    ...base[flow],
    ...example,
    origins: [...(origins as string[]), ...((example['origins'] as string[] | undefined) ?? [])],
    ...(isObject(metadata) &&
      isObject(example['metadata']) && { metadata: { ...metadata, ...example['metadata'] } }),
    // Each of the two kinds of provider refuses the other's scope.
    ...(flow === 'oauth' && 'scope' in example && { scope: String(example['scope']).replace('openid ', '') }),
    // An API takes the ID token only by the setting for it.
    ...(flow === 'id-token' && 'apiOrigins' in example && { apiToken: 'id_token' }),
  };
}

function parse(provider: Members, more: Members = {}) {
  return parseConfig(JSON.stringify({ providers: [provider], ...more }), 'config.json');
}

function isAccepted(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch {
    return false;
  }
}

const settings = Object.entries(providerUses).map(([name, use]) => ({ name, ...use }));

test.each(settings)(
  'the reader accepts the example of $name in each flow that the reference names',
  (setting) => {
    for (const flow of setting.flows) expect(() => parse(withExample(flow, setting.example))).not.toThrow();
  },
);

/** Settings that the reader accepts in a flow in which they have no effect, or whose example is of another flow. */
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

test.each(settings)(
  'the reader refuses $name in the other flows, apart from the ones listed here',
  (setting) => {
    const others = flows.filter((flow) => !setting.flows.includes(flow));
    const accepted = others.filter((flow) => isAccepted(() => parse(withExample(flow, setting.example))));
    expect(accepted).toEqual(withoutEffect[setting.name] ?? []);
  },
);

test.each(Object.entries(configUses))('the reader accepts the example of %s', (_name, { example }) => {
  expect(() => parse(acme, example)).not.toThrow();
});

describe('a policy', () => {
  const tenant = { policyOrigins: ['https://login.tenant.example'] };

  function isApplied(example: Members, more: Members = {}): boolean {
    const policy = { version: 1, providers: [{ id: 'acme', ...example }] };
    return readPolicy(policy, parse(acme, more), allRules).outcome === 'read';
  }

  test.each(settings.filter(({ policy }) => policy === 'yes' || policy === 'narrows'))(
    'may set $name',
    ({ example }) => {
      expect(isApplied(example)).toBe(true);
    },
  );

  test.each(settings.filter(({ policy }) => policy === 'no'))('may not set $name', ({ example }) => {
    expect(isApplied(example, tenant)).toBe(false);
  });

  test.each(settings.filter(({ policy }) => policy === 'hosts' || policy === 'part'))(
    'may set $name with policyOrigins, and otherwise only to what the build has',
    ({ example }) => {
      expect([isApplied(example), isApplied(example, tenant)]).toEqual([false, true]);
    },
  );

  test.each(Object.entries(configUses))(
    'may set %s beside the settings of a provider, or not, as the reference says',
    (_name, use) => {
      const reading = readPolicy({ version: 1, providers: [], ...use.example }, parse(acme), allRules);
      expect(reading.outcome).toBe(use.policy === 'yes' ? 'read' : 'refused');
    },
  );
});
