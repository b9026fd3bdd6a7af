// The doctor's lines about a profile before there is a configuration.

import { describe, expect, test } from 'vitest';
import { loadProfiles } from '../../../tools/build/profiles.ts';
import { parseConfig } from '../../../tools/build/parse-config.ts';
import { describeNeeds, listProviders } from '../../../tools/doctor/needs.ts';

const extension = {
  chromeId: 'mccmlgehmoicaeilcpoogfaohefhnoia',
  firefoxId: 'latchkey@latchkey.example',
  edgeId: 'abcdefghijklmnopabcdefghijklmnop',
};

const ask = (name: string, issuer: string | null = null) => describeNeeds(name, issuer, extension).join('\n');

test('the list has a line for each profile, with the browsers that can redeem a code', () => {
  const lines = listProviders();
  expect(lines).toHaveLength(loadProfiles().length + 1);
  expect(lines).toContainEqual(
    expect.stringMatching(/^logto +Logto +code and PKCE +Chrome, Edge; not Firefox, whose origin is random$/),
  );
  expect(lines).toContainEqual(expect.stringMatching(/^apple +Apple +cannot be used directly +–$/));
});

describe('a provider', () => {
  const printed = ask('logto', 'https://acme.logto.app/oidc');

  test('is explained with what to register in each browser', () => {
    expect(printed).toContain('https://mccmlgehmoicaeilcpoogfaohefhnoia.chromiumapp.org/logto');
    expect(printed).toContain('https://abcdefghijklmnopabcdefghijklmnop.chromiumapp.org/logto');
    expect(printed).toContain(
      'https://bae1b49efb3234f3878b25c10c1f5eced9e067f6.extensions.allizom.org/logto',
    );
    expect(printed).toContain('chrome-extension://mccmlgehmoicaeilcpoogfaohefhnoia');
    expect(printed.replaceAll(/\s+/g, ' ')).toContain('Firefox cannot: the provider wants exact origins');
  });

  test('gets a block that the build accepts', () => {
    const block = /^\{$.*^\}$/ms.exec(printed)?.[0];
    const { providers } = parseConfig(`{ "providers": [${block}] }`, 'config.json');
    expect(providers).toMatchObject([{ id: 'logto', issuer: 'https://acme.logto.app/oidc' }]);
  });
});

test('a provider with instances of teams takes the issuer of one', () => {
  expect(ask('gitlab', 'https://gitlab.acme.example')).toContain('"issuer": "https://gitlab.acme.example"');
  expect(ask('gitlab', 'https://gitlab.com')).not.toContain('"issuer":');
});

test.each([
  ['keycloack', null, '--provider: there is no profile "keycloack". Did you mean "keycloak"?'],
  ['acme', null, '--provider: there is no profile "acme". `npm run doctor -- --list` shows all profiles.'],
  ['apple', null, /^--provider: Apple can't be used directly\. Apple wants a secret/],
  ['auth0', null, /^--issuer: missing; expected the domain of your tenant/],
  ['auth0', 'https://accounts.google.com', /That is an issuer of Google: use the profile "google"\.$/],
  ['auth0', 'https://acme.auth0.com', /is not an issuer of Auth0\. Add a slash at the end/],
  ['google', 'https://id.acme.example', /allows only "https:\/\/accounts\.google\.com"\.$/],
  ['auth0', 'http://id.acme.example', /expected "https:"/],
])('%s with the issuer %s is refused in one line', (name, issuer, message) => {
  expect(() => ask(name, issuer)).toThrow(message);
  expect(() => ask(name, issuer)).not.toThrow(/\n/);
});
