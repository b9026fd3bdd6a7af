import { expect, test } from 'vitest';
import { problemsOf, withAcme, type Refusal } from '../support/samples.ts';

const theIssuer = 'expected the issuer, exactly as the provider writes it in its discovery document';
const webUrl = 'expected a URL that begins with "https://" and a host';
const aHost = 'expected a host of letters, digits, "-" and "."';
const httpOnlyLoopback = 'expected "https:"; "http:" is allowed for "localhost" and "127.0.0.1" only';

const ascii = 'expected an ASCII URL without spaces, quotes, braces or backslashes';
const noWildcard = 'expected one host, because a wildcard asks for more access than needed';

const noIpv6 =
  'expected a host name instead of an IPv6 address; for this computer use "localhost" or "127.0.0.1"';

test.for<Refusal>([
  // Issuers
  ...(
    [
      [7, '7', theIssuer],
      ['id.acme.example', '"id.acme.example"', webUrl],
      ['HTTPS://id.acme.example', '"HTTPS://id.acme.example"', webUrl],
      ['https:///acme', '"https:///acme"', webUrl],
      ['xhttps://id.acme.example', '"xhttps://id.acme.example"', webUrl],
      ['https://id.acme.example ', '"https://id.acme.example "', ascii],
      [
        'https://id.acme.example/{tenant}',
        '"https://id.acme.example/{tenant}"',
        'expected a URL with your own value in place of "{tenant}"',
      ],
      [
        'https://id.acme.example/<tenant id>',
        '"https://id.acme.example/<tenant id>"',
        'expected a URL with your own value in place of "<tenant id>"',
      ],
      [
        'https://id.acme.example:x',
        '"https://id.acme.example:x"',
        'expected a URL with a valid host and port',
      ],
      ['https://a;script-src', '"https://a;script-src"', aHost],
      ['https://my_host.example', '"https://my_host.example"', aHost],
      ['https://id.acme.example?', '"https://id.acme.example?…"', 'expected an issuer without a query'],
      [
        'https://id.acme.example/?key=hunter2',
        '"https://id.acme.example/?…"',
        'expected an issuer without a query',
      ],
      ['https://id.acme.example#hunter2', '"https://id.acme.example#…"', 'expected a URL without a fragment'],
      [
        'https://me:hunter2@id.acme.example',
        '"…@id.acme.example"',
        'expected a URL without a user name or password',
      ],
      ['http://id.acme.example', '"http://id.acme.example"', httpOnlyLoopback],
      ['http://localhost.acme.example', '"http://localhost.acme.example"', httpOnlyLoopback],
      ['http://[::1]:4455', '"http://[::1]:4455"', noIpv6],
      ['https://[2001:db8::1]', '"https://[2001:db8::1]"', noIpv6],
      [
        'https://id.acme.example/.well-known/openid-configuration',
        '"https://id.acme.example/.well-known/openid-configuration"',
        'expected only the issuer: "https://id.acme.example", or with "/" at its end if the discovery document writes it so',
      ],
    ] as const
  ).map(([issuer, found, expected]): Refusal => [
    `the issuer ${issuer}`,
    withAcme({ issuer }),
    `providers[0].issuer: found ${found}; ${expected}`,
  ]),

  // Origins
  ...(
    [
      ['https://api.example/', 'expected only the origin: "https://api.example"'],
      ['https://api.example/*', 'expected only the origin: "https://api.example"'],
      ['https://API.example:443', 'expected only the origin: "https://api.example"'],
      ['https://*.api.example', noWildcard],
      ['*', webUrl],
      ['api.example', webUrl],
      ['ws://localhost', webUrl],
      ['http://[::1]:3000', noIpv6],
      ['http://api.example', httpOnlyLoopback],
      ['http://127.1', 'expected the host as browsers write it: "127.0.0.1"'],
    ] as const
  ).flatMap(([origin, expected]) =>
    (['origins', 'apiOrigins'] as const).map((key): Refusal => [
      `${origin} in ${key}`,
      withAcme({ [key]: ['https://good.example', origin] }),
      `providers[0].${key}[1]: found "${origin}"; ${expected}`,
    ]),
  ),
  [
    'an origin that is not a string',
    withAcme({ origins: [null] }),
    `providers[0].origins[0]: found null; expected an origin, such as "https://api.example.com"`,
  ],
  [
    'an origin outside a list',
    withAcme({ origins: 'https://api.example' }),
    'providers[0].origins: found "https://api.example"; expected a list of origins, such as ["https://api.example.com"]',
  ],
])('readConfig rejects %s', ([, json, ...lines]) => {
  const problems = problemsOf(json);
  expect(problems).toEqual(lines);
  expect(problems.join()).not.toContain('hunter2');
});
