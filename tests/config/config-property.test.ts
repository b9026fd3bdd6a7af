// Properties that hold for every configuration, valid or not.

import { expect, test } from 'vitest';
import { ConfigError } from '../../src/config/config-error.ts';
import { readConfig } from '../../src/config/config.ts';
import { fc, numRuns } from '../support/property.ts';
import { webUrl } from '../support/web-urls.ts';

const label = fc.stringMatching(/^[a-z\d]{1,12}$/);
/** Names of built-in properties are rejected. */
const claim = label.filter((name) => !['constructor', 'prototype'].includes(name));
const origin = fc.oneof(
  fc.tuple(label, label).map(([one, other]) => `https://${one}.${other}.example`),
  fc.integer({ min: 1024, max: 65535 }).map((port) => `http://localhost:${port}`),
);
const provider = fc.record(
  {
    id: fc.stringMatching(/^[a-z\d-]{1,40}$/),
    name: fc.stringMatching(/^[A-Za-zÄ-ü]{1,100}$/),
    issuer: fc.tuple(origin, fc.constantFrom('', '/', '/tenant', '/tenant/')).map((parts) => parts.join('')),
    clientId: fc.stringMatching(/^[!-~]{1,50}$/),
    scope: fc.constantFrom('openid', 'email openid', 'openid offline_access https://api.example/read'),
    origins: fc.array(origin),
    apiOrigins: fc.array(origin),
    responseType: fc.constant('code'),
    firefoxRedirect: fc.constantFrom('extensions.allizom.org', 'loopback'),
    authorizationParameters: fc.dictionary(fc.constantFrom('hd', 'ui_locales', 'acr_values'), fc.string()),
    resource: fc.option(fc.constantFrom('urn:api', 'https://api.example/v1?x=1')),
    audience: fc.option(label),
    maxAgeSeconds: fc.option(fc.nat()),
    refreshTokenSeconds: fc.option(fc.nat()),
    acrValues: fc.option(fc.constantFrom('1', 'urn:mace:incommon:iap:silver 0')),
    trustedAudiences: fc.oneof(fc.constant('any'), fc.array(label)),
    allowed: fc.dictionary(
      claim,
      fc.array(fc.oneof(fc.string(), fc.integer(), fc.boolean()), { minLength: 1 }),
    ),
    par: fc.constantFrom('auto', 'always', 'off'),
    dpop: fc.constantFrom('off', 'auto', 'required'),
    metadata: fc.option(
      fc.record({ authorization_endpoint: origin, end_session_endpoint: origin }, { requiredKeys: [] }),
    ),
  },
  { requiredKeys: ['id', 'name', 'issuer', 'clientId'] },
);
const memberPath = fc.stringMatching(/^[\w-]{1,9}(\.[\w-]{1,9}){0,3}$/);
/** A provider of plain OAuth 2. */
const plainProvider = fc.record(
  {
    id: fc.stringMatching(/^[a-z\d-]{1,40}$/),
    name: label,
    issuer: fc.constant('https://id.example'),
    clientId: label,
    scope: fc.constantFrom('', 'a', 'read:user a'),
    metadata: fc.constant({
      authorization_endpoint: 'https://id.example/authorize',
      token_endpoint: 'https://id.example/token',
    }),
    userApi: fc.record(
      {
        url: fc.constantFrom('https://id.example/me', 'https://id.example/2/me?fields=a'),
        subject: memberPath,
        name: fc.option(memberPath),
        email: fc.option(memberPath),
        emailVerified: fc.option(memberPath),
        picture: fc.option(memberPath),
        headers: fc.dictionary(fc.constantFrom('Accept', 'Client-Id', 'Notion-Version'), label),
      },
      { requiredKeys: ['url', 'subject'] },
    ),
  },
  { requiredKeys: ['id', 'name', 'issuer', 'clientId', 'scope', 'metadata', 'userApi'] },
);
const config = fc.record(
  {
    $schema: fc.string(),
    providers: fc.uniqueArray(
      fc.oneof({ weight: 3, arbitrary: provider }, { weight: 1, arbitrary: plainProvider }),
      {
        minLength: 1,
        maxLength: 5,
        selector: ({ id }) => id,
      },
    ),
    persistence: fc.constantFrom('device', 'browser'),
    autoSignIn: fc.constant('off'),
    policyOrigins: fc.constant([]),
  },
  { requiredKeys: ['providers'] },
);

test('readConfig returns the same configuration when given its own result', () => {
  fc.assert(
    fc.property(config, (json) => {
      const read = readConfig(json);
      expect(readConfig(JSON.parse(JSON.stringify(read)))).toEqual(read);
    }),
  );
});

test('readConfig returns a configuration or throws a ConfigError of single lines for any JSON', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), withOneMemberReplaced(config)), (text) => {
      try {
        const read = readConfig(JSON.parse(text));
        expect(readConfig(read)).toEqual(read);
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        expect(error.problems.length).toBeGreaterThan(0);
        for (const line of error.problems) expect(line).toMatch(/^[^\n\r]+: [^\n\r]+$/);
      }
    }),
    { numRuns: 10 * numRuns },
  );
});

/** Returns the JSON of a valid configuration with one member, at any depth, replaced or renamed. */
function withOneMemberReplaced(json: fc.Arbitrary<object>): fc.Arbitrary<string> {
  const names = fc.constantFrom('__proto__', 'constructor', 'toString', 'clientSecret', 'issuer', 'x y', '');
  const replacement = fc.oneof(fc.jsonValue(), webUrl, fc.string());
  return fc.tuple(json, fc.nat(), fc.option(names), replacement).map(([value, pick, name, other]) => {
    const copy: unknown = JSON.parse(JSON.stringify(value));
    const members = membersOf(copy);
    const { holder, key } = members[pick % members.length] ?? { holder: {}, key: '' };
    const place = name === null || Array.isArray(holder) ? key : name;
    Object.defineProperty(holder, place, { value: other, enumerable: true });
    return JSON.stringify(copy);
  });
}

function membersOf(value: unknown): { holder: object; key: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [{ holder: value, key }, ...membersOf(member)]);
}
