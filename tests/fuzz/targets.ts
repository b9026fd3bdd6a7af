// Everything that comes from outside and is parsed: what a provider sends, and what this page lists.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseRecord, serializeRecord } from '../../src/background/record/disk.ts';
import { parseRequest, parseWorkerMessage } from '../../src/bridge/fetch/protocol.ts';
import { parseBoard } from '../../src/bridge/session/board.ts';
import { allRules } from '../../src/config/config.ts';
import { readPolicy } from '../../src/config/policy.ts';
import { parseConfig } from '../../tools/build/read-config.ts';
import { FileError } from '../../tools/build/read-text.ts';
import { examinePolicyText } from '../../tools/doctor/policy.ts';
import { toSession } from '../support/stored-session.ts';
import { doctorTargets } from './doctor-targets.ts';
import { providerTargets } from './provider-targets.ts';
import { readConfig } from '../support/samples.ts';

/** A parser, or a flow around one, of which the fuzzer changes one input. */
export interface Target {
  readonly name: string;
  /** Inputs as they really come. */
  readonly seeds: readonly string[];
  /**
   * Gives it an input. Resolves with what became of it, in words that differ only where the code goes another way. Throws a
   * `ProblemError` for a problem, and anything else for a fault.
   */
  run(input: string): Promise<string>;
}

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

/** What JSON can hold comes as JSON; the browser clones anything else of a message, which is no object that we send. */
function parsed(name: string, seeds: readonly unknown[], run: (value: unknown) => string): Target {
  return {
    name,
    seeds: seeds.map((seed) => JSON.stringify(seed)),
    async run(input) {
      let value: unknown = input;
      try {
        value = JSON.parse(input);
      } catch {
        // A text.
      }
      return run(value);
    },
  };
}

/** What the first mistake is, without its place and without what it quotes and counts. */
const plain = ([first = '']: readonly string[]) =>
  first
    .replace(/^.*?: (?=found|missing|unknown|duplicate|not JSON)/, '')
    .replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.e+]*/g, '…')
    .replace(/;.*/s, '')
    .slice(0, 40);

const built = readConfig({
  providers: [
    {
      id: 'acme',
      name: 'Acme',
      issuer: 'https://id.acme.example',
      clientId: 'client',
      allowed: { hd: ['acme.example'] },
    },
    {
      id: 'other',
      name: 'Other',
      issuer: 'https://other.example',
      clientId: 'client',
      apiOrigins: ['https://api.acme.example'],
    },
  ],
  policyOrigins: ['https://tenant.example'],
});
const policies = [
  {
    version: 1,
    locked: true,
    managedBy: 'Acme',
    autoSignIn: 'popup',
    persistence: 'browser',
    providers: [{ id: 'acme', allowed: { hd: ['acme.example'] } }],
  },
  {
    version: 1,
    providers: [
      {
        id: 'new',
        name: 'New',
        issuer: 'https://tenant.example/a',
        clientId: 'c',
        metadata: { end_session_endpoint: 'https://tenant.example/out' },
      },
    ],
  },
  { version: 1, providers: [{ id: 'new', name: 'New', issuer: 'https://tenant.example', clientId: 'c' }] },
  { version: 1, json: JSON.stringify({ version: 1, providers: [] }) },
];
const ids = { chromeId: 'mccmlgehmoicaeilcpoogfaohefhnoia', edgeId: null, firefoxId: 'acme@acme.example' };

const session = toSession();
const { profile } = session;
const pending = {
  providerId: 'acme',
  issuer: 'https://id.acme.example',
  clientId: 'client',
  subject: 'ada',
  token: 'r',
  queuedAtMs: 1,
  revocableSinceMs: null,
  firstSentAtMs: null,
  pause: null,
};

export const targets: readonly Target[] = [
  ...providerTargets,
  ...doctorTargets,
  {
    name: 'configuration',
    seeds: ['src/config.json', 'tools/demo-provider/config.json'].map(read),
    async run(input) {
      try {
        const { providers } = parseConfig(input, 'config.json');
        return `read ${providers.map((one) => [one.responseType, one.userApi !== null, one.deviceFlow].join()).join(' ')}`;
      } catch (error) {
        if (!(error instanceof FileError)) throw error;
        return plain(error.message.split('\n'));
      }
    },
  },
  parsed('policy', policies, (value) => {
    const reading = readPolicy(value, built, allRules);
    if (reading.outcome === 'refused') return plain(reading.problems);
    const hosts = reading.policy.providers
      .flatMap(({ issuer, origins }) => [issuer, ...origins])
      .map((url) => new URL(url).host);
    const strays = hosts.filter(
      (host) => !['id.acme.example', 'other.example', 'tenant.example'].includes(host),
    );
    if (strays.length > 0) throw new Error(`A policy names the hosts ${strays.join()}`);
    return `read ${reading.policy.providers.length}`;
  }),
  {
    name: 'policy file',
    seeds: [
      'linux-chromium.json',
      'google-admin-console.json',
      'firefox-policies.json',
      'intune.txt',
      'macos.plist',
      'macos.mobileconfig',
      'windows.reg',
    ].map((file) => read(`docs/administrators/${file}`)),
    async run(input) {
      try {
        const { report } = examinePolicyText(input, 'policy', built, ids);
        return `${report.form}: ${plain(report.policies.flatMap(({ problems }) => problems))}`;
      } catch (error) {
        if (!(error instanceof FileError)) throw error;
        return plain(error.message.split('\n'));
      }
    },
  },
  parsed(
    'message of a feature’s fetch',
    [
      {
        url: 'https://api.example/',
        method: 'GET',
        headers: [['accept', '*/*']],
        body: null,
        cache: 'default',
        redirect: 'follow',
        integrity: '',
      },
    ],
    (value) => String(parseRequest(value) !== null),
  ),
  parsed(
    'message of the worker',
    [
      { type: 'end' },
      { type: 'failed', reason: null, message: 'x' },
      {
        type: 'head',
        status: 200,
        statusText: '',
        headers: [],
        url: '',
        redirected: false,
        responseType: 'basic',
        hasBody: true,
      },
    ],
    (value) => String(parseWorkerMessage(value)?.type),
  ),
  parsed(
    'stored board',
    [
      {
        version: 1,
        session: { status: 'signed-in', profile, sinceMs: 1, additionalScope: '', problem: null },
        providers: [{ id: 'acme', name: 'Acme', endsSession: true }],
        managed: false,
      },
      {
        version: 1,
        session: {
          status: 'signed-out',
          problem: { code: 'expired', detail: null },
          accounts: [],
          lastProviderId: null,
          providerSession: null,
        },
        providers: [],
        managed: true,
        managedBy: 'Acme',
      },
    ],
    (value) => String(parseBoard(value)?.session.status),
  ),
  parsed(
    'stored record',
    [
      { session, codeSignIn: null, pendingRevocations: [pending], revocable: null },
      { pendingRevocations: [pending, pending], later: { a: 1 } },
    ],
    (value) => {
      const record = parseRecord(value, new Map(), 1);
      const again = parseRecord(JSON.parse(JSON.stringify(serializeRecord(record, 'key'))), new Map(), 1);
      if (JSON.stringify(again.session) !== JSON.stringify(record.session))
        throw new Error('The record is another one after it is stored.');
      return `${record.session === null ? 'no session' : record.session.tokens.type}, ${Math.min(record.pendingRevocations.length, 3)}`;
    },
  ),
];
