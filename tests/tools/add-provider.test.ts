// `npm run add-provider`, in a terminal and without one.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { addProvider, readGiven, type Given } from '../../tools/add-provider.ts';
import { UsageError } from '../../tools/command.ts';
import { makeFolder } from '../support/folder.ts';

const extension = {
  chromeId: 'mccmlgehmoicaeilcpoogfaohefhnoia',
  firefoxId: 'latchkey@latchkey.example',
  edgeId: null,
};
const demo = { id: 'demo', name: 'Demo', issuer: 'http://localhost:4455', clientId: 'demo' };
const acme = { id: 'acme', name: 'Acme', issuer: 'https://id.acme.example', clientId: 'acme' };
const auth0 = { provider: 'auth0', issuer: 'https://acme.auth0.com/', 'client-id': '3fJk' };

/** Adds to a configuration with these providers. Each of `answers` is what the person writes next. */
async function add(options: Given, answers: readonly string[] | null = null, providers: unknown[] = [demo]) {
  const before = JSON.stringify({ providers, persistence: 'browser' }, null, 2);
  const root = makeFolder({ 'config.json': before });
  const left = [...(answers ?? [])];
  const said: string[] = [];
  const ask = async (question: string) => {
    said.push(question);
    const answer = left.shift();
    if (answer === undefined) throw new Error('Nothing has been written.');
    return answer;
  };
  const log = (line: string) => void said.push(line);
  const place = { root, path: 'config.json', extension, ask: answers && ask, log };
  const result = await addProvider(place, options).catch((error: unknown) => error as Error);
  const after = await readFile(join(root, 'config.json'), 'utf8');
  return { result, said: said.join('\n'), isWritten: after !== before, config: JSON.parse(after) as object };
}

test('a provider takes the place of the demo provider, and the rest of the file stays', async () => {
  const { result, config } = await add(auth0);
  expect(result).toBe('Added Auth0 to config.json, as "auth0", in place of the demo provider.');
  const { issuer } = auth0;
  expect(config).toEqual({
    providers: [{ id: 'auth0', name: 'Auth0', profile: 'auth0', issuer, clientId: '3fJk' }],
    persistence: 'browser',
  });
});

test('a second provider comes after the others, with an id of its own', async () => {
  const { config } = await add(auth0, null, [
    { ...acme, id: 'auth0' },
    { ...acme, id: 'auth0-2' },
  ]);
  expect(config).toMatchObject({ providers: [{ id: 'auth0' }, { id: 'auth0-2' }, { id: 'auth0-3' }] });
});

test('an issuer names its profile, and one without a profile is added by itself', async () => {
  const google = await add({ provider: 'https://accounts.google.com', 'client-id': '1' });
  expect(google.config).toMatchObject({ providers: [{ id: 'google', profile: 'google' }] });
  const other = await add({ issuer: acme.issuer, 'client-id': '2' });
  expect(other.config).toMatchObject({
    providers: [{ id: 'id-acme-example', name: 'id.acme.example', issuer: acme.issuer, clientId: '2' }],
  });
});

test('an instance of a team is added with its issuer, and the usual one needs none', async () => {
  const own = await add({ provider: 'gitlab', issuer: 'https://gitlab.acme.example', 'client-id': '1' });
  expect(own.config).toMatchObject({
    providers: [{ profile: 'gitlab', issuer: 'https://gitlab.acme.example' }],
  });
  const usual = await add({ provider: 'https://gitlab.com', 'client-id': '1' });
  expect(usual.config).toMatchObject({ providers: [{ profile: 'gitlab' }] });
  expect(JSON.stringify(usual.config)).not.toContain('"issuer"');
});

describe('in a terminal', () => {
  test('whatever is missing is asked for, and asked again if it does not fit', async () => {
    const answers = ['auth', 'auth0', 'https://acme.auth0.com', auth0.issuer, ' ', ' 3fJk '];
    const { said, config } = await add({}, answers);
    expect(said).toContain('Did you mean "auth0"?');
    expect(said).toContain('Add a slash at the end');
    expect(said).toContain('\nexpected the client ID of your registration.');
    expect(config).toMatchObject({ providers: [{ issuer: auth0.issuer, clientId: '3fJk' }] });
  });

  test('what to register is said before the client ID is asked for', async () => {
    const { said } = await add({}, ['auth0', auth0.issuer, '3fJk']);
    const [register, clientId] = [said.indexOf('.chromiumapp.org/auth0'), said.indexOf('client-id (')];
    expect(register).toBeGreaterThan(0);
    expect(clientId).toBeGreaterThan(register);
  });

  test('the settings that only this provider needs are asked for', async () => {
    const domain = 'https://acme.auth.eu-west-1.amazoncognito.com';
    const issuer = 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEfGhI';
    const { config } = await add({}, ['cognito', issuer, domain, 'abc']);
    expect(config).toMatchObject({ providers: [{ issuer, origins: [domain] }] });
  });

  test('nothing is written if the person ends the input', async () => {
    const { result, isWritten } = await add({}, ['auth0']);
    expect(result).toEqual(new Error('Nothing has been written.'));
    expect(isWritten).toBe(false);
  });
});

test.each<[Given, RegExp]>([
  [{}, /^--provider: missing; expected a profile, such as "auth0", or the issuer/],
  [{ provider: 'auth0' }, /^--issuer: missing; expected the domain of your tenant/],
  [{ ...auth0, 'client-id': undefined }, /^--client-id: missing; expected the client ID/],
  [{ ...auth0, 'client-id': ' ' }, /^--client-id: expected the client ID/],
  [{ ...auth0, provider: 'apple' }, /^--provider: Apple can't be used directly\./],
  [{ ...auth0, provider: 'google' }, /^--issuer: .* is an issuer of Auth0: use the profile "auth0"\.$/],
  [{ ...auth0, scope: 'openid' }, /^--scope: Auth0 doesn't need it\. Leave it out\.$/],
  [{ issuer: 'http://id.acme.example', 'client-id': '1' }, /^--provider: .* expected "https:"/],
])('%j is refused in one line, and nothing is written', async (options, message) => {
  const { result, isWritten } = await add(options);
  expect(result).toBeInstanceOf(UsageError);
  expect((result as Error).message).toMatch(message);
  expect((result as Error).message).not.toContain('\n');
  expect(isWritten).toBe(false);
});

test('a configuration with a mistake is named before anything is asked', async () => {
  const { result, said } = await add({}, [], [{ ...acme, clientID: '1' }]);
  expect(result).toMatchObject({ name: 'FileError', message: expect.stringContaining('config.json:') });
  expect(said).toBe('');
});

test('options are read, and an unknown one is named with those that are known', () => {
  expect(readGiven(['--provider', 'auth0', '--discovery-url', 'x'], {})).toEqual({
    provider: 'auth0',
    'discovery-url': 'x',
  });
  expect(() => readGiven(['--secret', 'x'], {})).toThrow(
    /^Unknown option '--secret'\. Known are --provider, --issuer, /,
  );
  expect(() => readGiven([], { npm_config_client_id: 'x' })).toThrow(/npm kept --client-id for itself/);
});
