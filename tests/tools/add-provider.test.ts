// `npm run add-provider`, in a terminal and without one.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { addProvider, openTerminal, readGiven, type Given } from '../../tools/add-provider.ts';
import { makeFolder } from '../support/folder.ts';
import { describeOutcomes } from '../support/outcomes.ts';

const extension = {
  chromeId: 'mccmlgehmoicaeilcpoogfaohefhnoia',
  firefoxId: 'latchkey@latchkey.example',
  edgeId: null,
};
const demo = { id: 'demo', name: 'Demo', issuer: 'http://localhost:4455', clientId: 'demo' };
const acme = { id: 'acme', name: 'Acme', issuer: 'https://id.acme.example', clientId: 'acme' };
const auth0 = { provider: 'auth0', issuer: 'https://acme.auth0.com/', 'client-id': '3fJk' };

interface Scene {
  readonly options?: Given;
  /** The user's answers in their order. Without them, there's no terminal. */
  readonly answers?: readonly string[];
  readonly providers?: readonly object[];
  /** The user writes this into the file before the first answer. */
  readonly written?: string;
}

/** Adds to a configuration with these providers. Returns all that a terminal shows, with the answers, and then the file if it has changed. */
async function add({
  options = {},
  answers,
  providers = [demo],
  written,
}: Scene): Promise<readonly string[]> {
  const before = JSON.stringify({ providers, persistence: 'browser' }, null, 2);
  const root = makeFolder({ 'config.json': before });
  const left = [...(answers ?? [])];
  const said: string[] = [];
  const ask = async (question: string) => {
    if (written !== undefined) await writeFile(join(root, 'config.json'), written);
    const answer = left.shift();
    said.push(`${question}${answer}`);
    if (answer === undefined) throw new Error('The user has ended the input.');
    return answer;
  };
  // tests/providers/pages.test.ts holds the lines below a profile's name.
  const log = (text: string) => void said.push(...text.split('\n').filter((line) => !line.startsWith(' ')));
  const place = { root, path: 'config.json', extension, ask: answers === undefined ? null : ask, log };
  const result: unknown = await addProvider(place, options).catch((error: unknown) => error);
  const after = await readFile(join(root, 'config.json'), 'utf8');
  return [...said, String(result), ...(after === before ? [] : [after])];
}

const scenes: Readonly<Record<string, Scene>> = {
  'a provider in place of the demo provider': { options: auth0 },
  'a second provider of a kind': {
    options: auth0,
    providers: [
      { ...acme, id: 'auth0' },
      { ...acme, id: 'auth0-2' },
    ],
  },
  'an issuer that names its profile': {
    options: { provider: 'https://accounts.google.com', 'client-id': '1' },
  },
  'an issuer without a profile': { options: { issuer: acme.issuer, 'client-id': '2' } },
  'an instance of a team': {
    options: { provider: 'gitlab', issuer: 'https://gitlab.acme.example', 'client-id': '1' },
  },
  'an id, a name and APIs of its own': {
    options: {
      ...auth0,
      id: 'acme',
      name: 'Acme',
      'api-origins': 'https://api.acme.example, https://b.acme.example',
    },
  },
  'an id that another provider has': { options: { ...auth0, id: 'acme' }, providers: [acme] },
  'a name that cannot be seen': { options: { ...auth0, name: '\u200B' } },
  'an origin with a path': { options: { ...auth0, 'api-origins': 'https://api.acme.example/v1' } },
  'the usual instance': { options: { provider: 'https://gitlab.com', 'client-id': '1' } },
  'in a terminal, with answers that do not fit': {
    answers: ['auth', 'auth0', 'https://acme.auth0.com', auth0.issuer, 'A', '', '', ' ', ' 3fJk ', ''],
  },
  'in a terminal, settings that only this provider needs': {
    answers: [
      'cognito',
      'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEfGhI',
      'https://acme.auth.eu-west-1.amazoncognito.com',
      '',
      '',
      'abc',
      '',
    ],
  },
  'in a terminal whose input ends': { answers: ['auth0'] },
  'a configuration with a mistake, before anything is asked': {
    answers: [],
    providers: [{ ...acme, clientID: '1' }],
  },
  'a configuration that the user changes meanwhile': {
    options: { ...auth0, 'client-id': undefined },
    answers: ['', '', '3fJk', ''],
    written: '{ "providers": [] }',
  },
  'no option': {},
  'no issuer': { options: { provider: 'auth0' } },
  'no client ID': { options: { ...auth0, 'client-id': undefined } },
  'a client ID of spaces': { options: { ...auth0, 'client-id': ' ' } },
  'a profile that does not exist': { options: { ...auth0, provider: 'acme' } },
  'a provider that is refused': { options: { ...auth0, provider: 'apple' } },
  'an issuer of another profile': { options: { ...auth0, provider: 'google' } },
  'an option that the provider does not need': { options: { ...auth0, scope: 'openid' } },
  'an issuer without TLS': { options: { issuer: 'http://id.acme.example', 'client-id': '1' } },
};

test('what the command asks, says and writes, or refuses in one line', async () => {
  const shown: Record<string, () => readonly string[]> = {};
  for (const [title, scene] of Object.entries(scenes)) {
    const lines = await add(scene);
    shown[title] = () => lines;
  }
  await expect(describeOutcomes(shown)).toMatchFileSnapshot('add-provider.txt');
});

test('options are read, and an unknown one is named with those that are known', () => {
  expect(readGiven(['--provider', 'auth0', '--discovery-url', 'x'], {})).toEqual({
    provider: 'auth0',
    'discovery-url': 'x',
  });
  expect(() => readGiven(['--secret', 'x'], {})).toThrow(
    /^Unknown option '--secret'\. Known are --provider, --issuer, /,
  );
});

test('a terminal is taken for the time of a question alone, so that Ctrl-C stops whatever comes after it', async () => {
  const taken: boolean[] = [];
  const setRawMode = (isTaken: boolean) => void taken.push(isTaken);
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode });
  const ask = openTerminal(input, Object.assign(new PassThrough(), { isTTY: true }));
  for (const answer of ['auth0', '3fJk']) {
    const answered = ask?.('');
    input.write(`${answer}\n`);
    expect([await answered, ...taken.splice(0)]).toEqual([answer, true, false]);
  }
  const interrupted = ask?.('');
  input.write('\x03');
  await expect(interrupted).rejects.toThrow('Nothing has been written.');
  expect(openTerminal(new PassThrough(), new PassThrough())).toBeNull();
});
