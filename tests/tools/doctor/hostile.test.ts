// Answers of a provider that wants to harm the user who reads them. tests/fuzz makes up more.

import { expect, test } from 'vitest';
import { printReport } from '../../../tools/doctor/print.ts';
import { toReport } from '../../../tools/doctor/report.ts';
import { examine } from '../../support/doctor-scene.ts';
import {
  at,
  discovery,
  html,
  issuer,
  json,
  oauthError,
  redirect,
  redirectBack,
  type Replaced,
} from '../../support/healthy-provider.ts';

/** Examines the provider, prints the report, and expects that no other host has been asked. */
async function print(replaced: Replaced): Promise<string> {
  const { report, requests } = await examine(replaced);
  expect(requests.filter(({ url }) => url.origin !== issuer)).toEqual([]);
  const whole = toReport('my.json', 'online', [report]);
  return `${printReport(whole).join('\n')}\n${JSON.stringify(whole)}`;
}

/** Printable ASCII, and the characters of our own sentences. */
const harmless = /^[\x20-\x7e\n…]*$/;
const evil = '\u001b[31m\u001b]8;;https://evil.example\u0007\u202e\u200b\r\n\u0000“é';

const elsewhere = (origin: string) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  jwks_uri: `${origin}/keys`,
});

test.each<[string, Replaced]>([
  ['the issuer', { document: { issuer: `https://evil.example/${evil}` } }],
  ['an endpoint', { document: { userinfo_endpoint: `https://evil.example/${evil}` } }],
  ['an issuer of another host, with its endpoints', { document: elsewhere('https://evil.example') }],
  ['an issuer on this computer, with its endpoints', { document: elsewhere('http://127.0.0.1:8080') }],
  [
    'a pushed request elsewhere',
    {
      document: {
        require_pushed_authorization_requests: true,
        pushed_authorization_request_endpoint: 'https://evil.example/par',
      },
    },
  ],
  ['a host', { document: { token_endpoint: `https://${'a'.repeat(5000)}.example/token` } }],
  ['scopes', { document: { scopes_supported: ['openid', evil], grant_types_supported: [evil] } }],
  ['algorithms', { document: { id_token_signing_alg_values_supported: [evil, evil.repeat(1000)] } }],
  ['response types', { document: { response_types_supported: Array.from({ length: 9999 }, () => evil) } }],
  ['a redirect of discovery', at(discovery, redirect('https://evil.example/%1b[31m'))],
  ['a page in place of discovery', at(discovery, html(evil, 404))],
  ['an error of the token endpoint', at('/token', oauthError(evil, evil.repeat(999)))],
  ['a list in place of an error', at('/token', json([evil], 400))],
  ['a number in place of an error', at('/token', json({ error: 1 }, 400))],
  ['an error in a redirect', at('/authorize', redirectBack('x', { error_description: evil }))],
  ['a page', at('/authorize', html(`redirect uri ${evil}`, 400))],
  ['another host', at('/authorize', redirect(`https://evil.example/?error=${evil}`.slice(0, 30)))],
  ['a redirect as data', at('/authorize', json({ url: `https://evil.example/?error=${evil}` }))],
  ['no text at all', at(discovery, json(null))],
])('prints nothing harmful of %s, and asks no other host', async (_where, replaced) => {
  const text = await print(replaced);
  expect(text).toMatch(harmless);
  expect(text.length).toBeLessThan(20_000);
});

test('follows no redirect to a host of the provider’s choice', async () => {
  const answers = {
    [issuer + discovery]: redirect('http://169.254.169.254/latest'),
    [`${issuer}/authorize`]: redirect('http://127.0.0.1:22/'),
  };
  const { issuer: _issuer, ...metadata } = elsewhere(issuer);
  for (const settings of [{}, { metadata }]) {
    const { requests } = await examine({ answers }, settings);
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.filter(({ url }) => url.origin !== issuer)).toEqual([]);
  }
});
