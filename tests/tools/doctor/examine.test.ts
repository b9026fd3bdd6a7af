import { exportJWK, generateKeyPair } from 'jose';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { examineProvider } from '../../../tools/doctor/examine.ts';
import type { Finding } from '../../../tools/doctor/finding.ts';
import { printReport } from '../../../tools/doctor/print.ts';
import { toReport, type ProviderReport } from '../../../tools/doctor/report.ts';
import {
  createHealthyProvider,
  html,
  issuer,
  json,
  oauthError,
  publicKey,
  redirect,
  redirectBack,
  type Replaced,
  type SentRequest,
} from '../../support/healthy-provider.ts';

const identity = { key: 'AAAA', browser_specific_settings: { gecko: { id: 'acme@acme.example' } } };
const discoveryUrl = `${issuer}/.well-known/openid-configuration`;
const acme = { id: 'acme', name: 'Acme', issuer, clientId: 'acme-client' };
const edgeId = 'abcdefghijklmnopabcdefghijklmnop';

type Settings = Readonly<Record<string, unknown>>;

async function examine(replaced: Replaced = {}, settings: Settings = {}, more: object = {}) {
  const [provider] = readConfig({ providers: [{ ...acme, ...settings }] }).providers;
  if (provider === undefined) throw new Error('The configuration has no provider.');
  const { fetch, requests } = createHealthyProvider(replaced);
  const report = await examineProvider({
    provider,
    profileName: null,
    identity,
    edgeId: null,
    knownProviders: {},
    network: { fetch, nowMs: Date.now },
    ...more,
  });
  return { report, requests };
}

const bad = ({ findings }: ProviderReport) => findings.filter(({ severity }) => severity !== 'ok');

const isFirefox = ({ origin }: SentRequest) => origin?.startsWith('moz-extension://') === true;
const isExtension = ({ origin }: SentRequest) => origin !== null && origin.includes('-extension://');
const answerWhen =
  (matches: (request: SentRequest) => boolean, one: Answer, other: Answer): Answer =>
  (request) =>
    (matches(request) ? one : other)(request);
type Answer = NonNullable<Replaced['answers']>[string];

const healthyToken = oauthError('invalid_grant');
const firefoxUri = /extensions\.allizom\.org/;

describe('a provider without a mistake', () => {
  test('works in each browser', async () => {
    const { report } = await examine();
    expect(bad(report)).toEqual([]);
    expect(report.outlook).toEqual({ chrome: 'works', firefox: 'works' });
  });

  test('gets requests like those of the extension, which sign nobody in', async () => {
    const { requests } = await examine();
    const at = (path: string) => requests.filter(({ url }) => url.pathname === path);
    expect(at('/token').map(({ origin }) => origin)).toEqual([
      expect.stringMatching(/^chrome-extension:\/\/[a-p]{32}$/),
      expect.stringMatching(/^moz-extension:\/\/[\da-f-]{36}$/),
    ]);
    expect(at('/authorize').map(({ parameters }) => parameters.get('prompt'))).toEqual(['none', 'none']);
    expect(at('/authorize').map(({ parameters }) => parameters.get('redirect_uri'))).toEqual([
      expect.stringMatching(/^https:\/\/[a-p]{32}\.chromiumapp\.org\/acme$/),
      expect.stringMatching(/^https:\/\/[\da-f]{40}\.extensions\.allizom\.org\/acme$/),
    ]);
    expect(at('/authorize').map(({ origin }) => origin)).toEqual([null, null]);
    expect(requests.filter(({ headers }) => headers.has('cookie'))).toEqual([]);
    expect(requests.every(({ url }) => url.origin === issuer)).toBe(true);
  });

  test('is asked as the extension from Edge Add-ons too, whose id is another', async () => {
    const { report, requests } = await examine({}, {}, { edgeId });
    expect(report.outlook).toEqual({ chrome: 'works', edge: 'works', firefox: 'works' });
    expect(report.register.redirectUris.edge).toBe(`https://${edgeId}.chromiumapp.org/acme`);
    expect(requests.map(({ origin }) => origin)).toContain(`chrome-extension://${edgeId}`);
  });

  test('is not asked at all offline, and nothing says that it works', async () => {
    const { report, requests } = await examine({}, {}, { network: null });
    expect(requests).toEqual([]);
    expect(report.outlook).toEqual({ chrome: 'unknown', firefox: 'unknown' });
    expect(printReport(toReport('my.json', 'offline', [report])).join('\n')).not.toMatch(/\bworks?\b/);
  });

  test('may show its page in spite of prompt=none, if it refuses a made-up redirect URI', async () => {
    const isOwn = ({ parameters }: SentRequest) =>
      [...registered].includes(parameters.get('redirect_uri') ?? '');
    const registered = new Set(Object.values((await examine()).report.register.redirectUris));
    const answers = {
      [`${issuer}/authorize`]: answerWhen(isOwn, html('Sign in'), oauthError('invalid_redirect_uri')),
    };
    const { report } = await examine({ answers });
    expect(bad(report)).toEqual([
      expect.objectContaining({
        code: 'redirect-uri',
        severity: 'warning',
        text: expect.stringContaining('cannot be renewed silently'),
      }),
    ]);
    expect(report.outlook).toEqual({ chrome: 'works', firefox: 'works' });

    const [plain] = readConfig({ providers: [acme] }).providers;
    const userApi = { url: 'https://api.acme.example/me' };
    const { report: oauth } = await examine({ answers }, {}, { provider: { ...plain, userApi } });
    expect(bad(oauth)).toEqual([]);
  });

  test('without "key" in manifest.json is asked as the extension in Firefox alone', async () => {
    const { key: _key, ...keyless } = identity;
    const { report } = await examine({}, {}, { identity: keyless });
    expect(report.outlook).toEqual({ firefox: 'works' });
    expect(bad(report)).toEqual([expect.objectContaining({ code: 'key-missing', severity: 'warning' })]);
  });

  test('that signs people in by a device code alone is not said to work', async () => {
    const [plain] = readConfig({ providers: [acme] }).providers;
    const { report, requests } = await examine({}, {}, { provider: { ...plain, deviceFlow: 'only' } });
    expect(bad(report)).toEqual([expect.objectContaining({ code: 'not-checked' })]);
    expect(report.outlook).toEqual({ chrome: 'unknown', firefox: 'unknown' });
    expect(requests.map(({ url }) => url.pathname)).not.toContain('/authorize');
  });

  test('may answer access_denied or with a code, because both come after its checks', async () => {
    const answers = { [`${issuer}/authorize`]: redirectBack('access_denied') };
    expect(bad((await examine({ answers })).report)).toEqual([]);
  });
});

/** A mistake, what the doctor says about it, and where it does harm. */
interface Mistake {
  readonly title: string;
  readonly replaced?: Replaced;
  readonly settings?: Settings;
  readonly more?: object;
  readonly finds: Partial<Omit<Finding, 'text' | 'remedy'>> & {
    readonly code: Finding['code'];
    readonly text: RegExp;
    readonly remedy?: RegExp;
  };
  readonly chrome: 'works' | 'unknown' | 'cannot-work';
  readonly firefox: 'works' | 'unknown' | 'cannot-work';
}

const broken = { chrome: 'cannot-work', firefox: 'cannot-work' } as const;
const less = { chrome: 'works', firefox: 'works' } as const;
const open = { chrome: 'unknown', firefox: 'unknown' } as const;

const smallRsa = {
  ...(await exportJWK(
    (
      await crypto.subtle.generateKey(
        {
          name: 'RSASSA-PKCS1-v1_5',
          modulusLength: 1024,
          publicExponent: new Uint8Array([1, 0, 1]),
          hash: 'SHA-256',
        },
        true,
        ['sign', 'verify'],
      )
    ).publicKey,
  )),
  alg: 'RS256',
};
const ellipticKey = await exportJWK((await generateKeyPair('ES256', { extractable: true })).publicKey);

const other = 'https://login.other.example';
const entra = 'https://login.microsoftonline.com';
const guid = '11111111-2222-3333-4444-555555555555';

/** A discovery document at another address than below the default issuer. */
const documentAt = (address: string, named: string): Replaced => ({
  document: { issuer: named },
  answers: {
    [`${address}/.well-known/openid-configuration`]: json({
      issuer: named,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
    }),
    [`${issuer}/authorize`]: redirectBack('login_required', { iss: named }),
  },
});

const issuerMistakes: Mistake[] = [
  {
    title: 'a slash that the provider does not write',
    settings: { issuer: `${issuer}/` },
    finds: {
      code: 'issuer-mismatch',
      text: /names the issuer "https:\/\/id\.acme\.example", and "https:\/\/id\.acme\.example\/" is configured/,
      remedy: /write "issuer": "https:\/\/id\.acme\.example"\./,
    },
    ...broken,
  },
  {
    title: 'a slash that the configuration lacks',
    replaced: {
      document: { issuer: `${issuer}/` },
      answers: { [`${issuer}/authorize`]: redirectBack('login_required', { iss: `${issuer}/` }) },
    },
    finds: { code: 'issuer-mismatch', text: /names the issuer/, remedy: /"https:\/\/id\.acme\.example\/"/ },
    ...broken,
  },
  {
    title: 'an authorization endpoint as the issuer',
    settings: { issuer: `${issuer}/realms/acme/protocol/openid-connect/auth` },
    replaced: documentAt(`${issuer}/realms/acme`, `${issuer}/realms/acme`),
    finds: {
      code: 'discovery-missing',
      text: /no discovery document: ".*HTTP 404.*openid-connect\/auth\//,
      remedy: /Write "issuer": "https:\/\/id\.acme\.example\/realms\/acme"/,
    },
    ...broken,
  },
  {
    title: 'the path of nothing as the issuer',
    settings: { issuer: 'https://other.acme.example/nothing' },
    finds: { code: 'discovery-missing', text: /no discovery document/, remedy: /Correct "issuer"/ },
    ...broken,
  },
  {
    title: 'Entra with "common"',
    settings: { issuer: `${entra}/common/v2.0`, origins: [issuer] },
    replaced: documentAt(`${entra}/common/v2.0`, `${entra}/{tenantid}/v2.0`),
    finds: {
      code: 'issuer-template',
      text: /stands for many tenants/,
      remedy: /"issuerTemplate": "https:\/\/login\.microsoftonline\.com\/\{tenantid\}\/v2\.0"/,
    },
    ...broken,
  },
  {
    title: 'External ID with its subdomain',
    settings: { issuer: `https://contoso.ciamlogin.com/${guid}/v2.0`, origins: [issuer] },
    replaced: documentAt(
      `https://contoso.ciamlogin.com/${guid}/v2.0`,
      `https://${guid}.ciamlogin.com/${guid}/v2.0`,
    ),
    finds: {
      code: 'issuer-mismatch',
      text: /names the issuer/,
      remedy:
        /"issuer": "https:\/\/1{8}.*v2\.0", "discoveryUrl": "https:\/\/contoso\..*openid-configuration", "origins": \["https:\/\/id\.acme\.example","https:\/\/contoso\.ciamlogin\.com"\]/,
    },
    ...broken,
  },
  {
    title: 'B2C with the path of its policy',
    settings: { issuer: 'https://t.b2clogin.com/t.onmicrosoft.com/B2C_1_in/v2.0', origins: [issuer] },
    replaced: documentAt(
      'https://t.b2clogin.com/t.onmicrosoft.com/B2C_1_in/v2.0',
      `https://t.b2clogin.com/${guid}/v2.0/`,
    ),
    finds: {
      code: 'issuer-mismatch',
      text: /names the issuer/,
      remedy:
        /"discoveryUrl": "https:\/\/t\.b2clogin\.com\/t\.onmicrosoft\.com\/B2C_1_in\/v2\.0\/\.well-known/,
    },
    ...broken,
  },
];

const discoveryMistakes: Mistake[] = [
  {
    title: 'a token endpoint on a host that is not configured',
    replaced: {
      document: { token_endpoint: `${other}/token` },
      answers: { [`${other}/token`]: healthyToken },
    },
    finds: {
      code: 'host-missing',
      text: /at https:\/\/login\.other\.example, and the extension may not reach/,
      remedy: /"origins": \["https:\/\/login\.other\.example"\]/,
    },
    ...broken,
  },
  {
    title: 'a UserInfo endpoint on a host that is not configured',
    replaced: { document: { userinfo_endpoint: `${other}/userinfo` } },
    finds: {
      code: 'endpoint-left-out',
      text: /userinfo_endpoint is not used.*name, e-mail or picture/,
      remedy: /"origins": \["https:\/\/login\.other\.example"\].*\{ "userinfo_endpoint": null \}/,
    },
    ...less,
  },
  {
    title: 'a revocation endpoint without https',
    replaced: { document: { revocation_endpoint: 'http://id.acme.example/revoke' } },
    finds: { code: 'endpoint-left-out', text: /revocation_endpoint is not used, because it is no https URL/ },
    ...less,
  },
  {
    title: 'no token endpoint',
    replaced: { document: { token_endpoint: undefined } },
    finds: {
      code: 'discovery-unusable',
      text: /lacks an endpoint/,
      remedy: /"metadata" as "token_endpoint"/,
    },
    ...broken,
  },
  {
    title: 'a discovery document that redirects',
    replaced: { answers: { [discoveryUrl]: redirect(`${other}/configuration`) } },
    finds: {
      code: 'discovery-redirects',
      text: /redirects to "https:\/\/login\.other\.example\/configuration"/,
    },
    ...broken,
  },
  {
    title: 'a discovery document over the cap',
    replaced: { answers: { [discoveryUrl]: () => new Response('x'.repeat(300_000)) } },
    finds: { code: 'discovery-unusable', text: /larger than 262144 bytes/ },
    ...broken,
  },
  {
    title: 'a web page in place of the discovery document',
    replaced: { answers: { [discoveryUrl]: html('Sign in to the network') } },
    finds: { code: 'provider-unreachable', text: /is not JSON/ },
    ...broken,
  },
  {
    title: 'a provider that forbids its discovery document',
    replaced: { answers: { [discoveryUrl]: html('Forbidden', 403) } },
    finds: { code: 'discovery-unusable', text: /refuses the request: "discovery: HTTP 403/ },
    ...broken,
  },
  {
    title: 'a server of plain OAuth 2',
    replaced: {
      answers: {
        [discoveryUrl]: html('Not found', 404),
        [`${issuer}/.well-known/oauth-authorization-server`]: json({
          issuer,
          token_endpoint: `${issuer}/token`,
        }),
      },
    },
    finds: { code: 'no-id-token', text: /OAuth 2\.0 without OpenID Connect/, remedy: /broker/ },
    ...broken,
  },
  {
    title: 'no scope "openid"',
    replaced: { document: { scopes_supported: ['email'] } },
    finds: { code: 'no-id-token', text: /may issue no ID token/ },
    ...open,
  },
  {
    title: 'only HS256',
    replaced: { document: { id_token_signing_alg_values_supported: ['HS256', 'none'] } },
    finds: { code: 'algorithms', text: /"HS256", "none" only/, remedy: /RS256/ },
    ...broken,
  },
  {
    title: 'no authorization code flow',
    replaced: { document: { response_types_supported: ['id_token', 'token'] } },
    finds: { code: 'code-flow-missing', text: /"id_token", "token", and not "code"/ },
    ...less,
  },
  {
    title: 'PKCE without S256',
    replaced: { document: { code_challenge_methods_supported: ['plain'] } },
    finds: { code: 'pkce', text: /PKCE with "plain"/ },
    ...less,
  },
  {
    title: 'a scope that the provider does not list',
    settings: { scope: 'openid offline_access notes' },
    finds: { code: 'scope', severity: 'warning', text: /does not list the scope "notes"/ },
    ...less,
  },
  {
    title: 'no grant for refresh tokens',
    replaced: { document: { grant_types_supported: ['authorization_code'] } },
    finds: { code: 'no-refresh-token', text: /the provider offers the grants "authorization_code" only/ },
    ...less,
  },
  {
    title: 'no scope "offline_access" at the provider',
    replaced: { document: { scopes_supported: ['openid', 'profile', 'email'] } },
    finds: { code: 'no-refresh-token', text: /does not list the scope "offline_access"/ },
    ...less,
  },
  {
    title: 'no scope "offline_access" in the configuration',
    settings: { scope: 'openid' },
    finds: { code: 'no-refresh-token', text: /does not ask for/, remedy: /Add "offline_access"/ },
    ...less,
  },
  {
    title: 'no verified e-mail for "allowed"',
    settings: { allowed: { email: ['ada@acme.example'] } },
    replaced: { document: { claims_supported: ['sub', 'email'] } },
    finds: { code: 'email-unverified', severity: 'warning', text: /"email_verified"/ },
    ...less,
  },
  {
    title: 'DPoP that the provider does with other algorithms',
    settings: { dpop: 'required' },
    replaced: { document: { dpop_signing_alg_values_supported: ['RS256'] } },
    finds: { code: 'dpop', text: /takes no ES256 proofs/ },
    ...broken,
  },
  {
    title: 'DPoP that the provider does not mention',
    settings: { dpop: 'required' },
    finds: { code: 'dpop', severity: 'warning', text: /does not say that it supports it/ },
    ...less,
  },
  {
    title: 'no revocation',
    replaced: { document: { revocation_endpoint: null } },
    finds: { code: 'no-revocation', severity: 'note', text: /on this device alone/ },
    ...less,
  },
  {
    title: 'no logout page',
    replaced: { document: { end_session_endpoint: undefined } },
    finds: { code: 'no-logout', severity: 'note', text: /not offered/ },
    ...less,
  },
  {
    title: 'a clock that is ahead',
    replaced: { aheadMs: 20 * 60_000 },
    finds: { code: 'clock', text: /20 minutes ahead of that of this computer/ },
    ...less,
  },
];

const keyMistakes: Mistake[] = [
  {
    title: 'no keys',
    replaced: { keys: [] },
    finds: { code: 'keys-unusable', text: /publishes no keys/ },
    ...broken,
  },
  {
    title: 'keys of another kind',
    replaced: { keys: [ellipticKey, { kty: 'oct', k: 'c2VjcmV0' }] },
    finds: { code: 'keys-unusable', text: /None of the 2 keys .* signed with "RS256"/ },
    ...broken,
  },
  {
    title: 'keys for encryption alone',
    replaced: { keys: [{ ...publicKey, use: 'enc' }] },
    finds: { code: 'keys-unusable', text: /None of the 1 keys/ },
    ...broken,
  },
  {
    title: 'a key of too few bits',
    replaced: { keys: [smallRsa] },
    finds: { code: 'keys-unusable', text: /None of the 1 keys/, remedy: /2048 bits/ },
    ...broken,
  },
  {
    title: 'no key set',
    replaced: { answers: { [`${issuer}/keys`]: json({ keys: 'none' }) } },
    finds: { code: 'keys-unusable', text: /the answer is not a key set/ },
    ...broken,
  },
  {
    title: 'keys over the cap',
    replaced: { answers: { [`${issuer}/keys`]: () => new Response(' '.repeat(300_000)) } },
    finds: { code: 'keys-unusable', text: /larger than 262144 bytes/ },
    ...broken,
  },
  {
    title: 'keys that redirect',
    replaced: { answers: { [`${issuer}/keys`]: redirect('/jwks.json') } },
    finds: { code: 'keys-unusable', text: /redirects to "https:\/\/id\.acme\.example\/jwks\.json"/ },
    ...broken,
  },
];

const token = (answer: Answer): Replaced => ({ answers: { [`${issuer}/token`]: answer } });
const forbidden = () => new Response('', { status: 403 });

const tokenMistakes: Mistake[] = [
  {
    title: 'an Origin that is not on the list, in each browser',
    replaced: token(answerWhen(isExtension, forbidden, healthyToken)),
    finds: {
      code: 'origin-refused',
      targets: ['chrome'],
      text: /the Origin of the extension, chrome-extension:\/\/[a-p]{32}: HTTP 403/,
      remedy: /Allow the origin chrome-extension:/,
    },
    ...broken,
  },
  {
    title: 'an Origin that is not on the list, in Firefox alone',
    replaced: token(answerWhen(isFirefox, forbidden, healthyToken)),
    finds: {
      code: 'origin-refused',
      targets: ['firefox'],
      text: /moz-extension:\/\/<random>: HTTP 403/,
      remedy: /any origin \("\*"\)/,
    },
    chrome: 'works',
    firefox: 'cannot-work',
  },
  {
    title: 'an Origin that an error names',
    replaced: token(
      oauthError('invalid_request', 'origin chrome-extension://x not allowed for client: acme'),
    ),
    finds: { code: 'origin-refused', targets: ['chrome'], text: /origin chrome-extension:\/\/x not allowed/ },
    ...broken,
  },
  {
    title: 'a firewall that refuses everything',
    replaced: token(forbidden),
    finds: { code: 'token-endpoint-broken', text: /refuses every request: HTTP 403/ },
    ...broken,
  },
  {
    title: 'a client that the provider knows, and a secret that it wants',
    replaced: token(oauthError('invalid_client', '', 401)),
    finds: { code: 'secret-wanted', text: /knows the client and wants a secret/, remedy: /public client/ },
    ...broken,
  },
  {
    title: 'a secret that is asked for in words',
    replaced: token(oauthError('invalid_request', 'client_secret is missing.')),
    finds: { code: 'secret-wanted', text: /client_secret is missing/ },
    ...broken,
  },
  {
    title: 'a client that neither endpoint explains',
    replaced: {
      answers: {
        [`${issuer}/token`]: () => new Response('', { status: 401 }),
        [`${issuer}/authorize`]: html('Hi'),
      },
    },
    finds: { code: 'secret-wanted', text: /wants a secret, or it does not know the client ID/ },
    ...broken,
  },
  {
    title: 'a secret that the discovery document asks for',
    replaced: {
      document: { token_endpoint_auth_methods_supported: ['client_secret_post'] },
      ...token(oauthError('invalid_request', 'malformed')),
    },
    finds: {
      code: 'secret-wanted',
      severity: 'warning',
      text: /lists only ways to sign in with a client secret/,
    },
    ...open,
  },
  {
    title: 'a web client at Entra',
    replaced: token(
      oauthError(
        'invalid_request',
        'AADSTS9002326: Cross-origin token redemption is permitted only for the SPA.',
      ),
    ),
    finds: {
      code: 'client-type',
      text: /web or native client.*AADSTS9002326/,
      remedy: /Single-page application/,
    },
    ...broken,
  },
  {
    title: 'a proxy that takes the Origin away from Entra',
    replaced: token(oauthError('invalid_request', 'AADSTS9002327: Tokens issued for the SPA client-type.')),
    finds: { code: 'client-type', text: /without the Origin.*AADSTS9002327/, remedy: /proxy/ },
    ...broken,
  },
  {
    title: 'a confidential client at Entra',
    replaced: token(
      oauthError('invalid_client', 'AADSTS7000218: The request body must contain client_secret.', 401),
    ),
    finds: { code: 'secret-wanted', text: /AADSTS7000218/, remedy: /Single-page application/ },
    ...broken,
  },
  {
    title: 'a client that may not redeem codes',
    replaced: token(oauthError('unauthorized_client')),
    finds: { code: 'client-type', text: /may not redeem codes/ },
    ...broken,
  },
  {
    title: 'errors with status 200',
    replaced: token(json({ error: 'bad_verification_code', error_description: 'The code is incorrect.' })),
    finds: { code: 'errors-with-200', severity: 'warning', text: /with status 200: "bad_verification_code/ },
    ...less,
  },
  {
    title: 'a secret wanted with status 200, in a form',
    replaced: token(() => new Response('error=incorrect_client_credentials&error_description=x')),
    finds: { code: 'secret-wanted', text: /incorrect_client_credentials/ },
    ...broken,
  },
  {
    title: 'tokens for any code',
    replaced: token(json({ access_token: 'token-1', token_type: 'Bearer' })),
    finds: { code: 'code-unchecked', text: /tokens for a made-up code/ },
    ...broken,
  },
  {
    title: 'nothing at the token endpoint',
    replaced: token(html('Not found', 404)),
    finds: { code: 'token-endpoint-broken', text: /Nothing answers at the token endpoint: HTTP 404/ },
    ...broken,
  },
  {
    title: 'a token endpoint that redirects',
    replaced: token(redirect('https://www.acme.example/')),
    finds: { code: 'token-endpoint-broken', text: /redirects to "https:\/\/www\.acme\.example\/"/ },
    ...broken,
  },
  {
    title: 'a token endpoint that fails',
    replaced: token(html('Oops', 503)),
    finds: { code: 'token-endpoint-broken', severity: 'warning', text: /HTTP 503/ },
    ...open,
  },
  {
    title: 'a provider that wants DPoP',
    replaced: token(oauthError('invalid_dpop_proof', 'A proof is required.')),
    finds: { code: 'dpop', text: /wants DPoP/, remedy: /"dpop" to "auto"/ },
    ...broken,
  },
];

const page = (answer: Answer): Replaced => ({ answers: { [`${issuer}/authorize`]: answer } });
const isFirefoxUri = ({ parameters }: SentRequest) => firefoxUri.test(parameters.get('redirect_uri') ?? '');

const pageMistakes: Mistake[] = [
  {
    title: 'a redirect URI that is not registered, in Firefox alone',
    replaced: page(
      answerWhen(isFirefoxUri, oauthError('invalid_redirect_uri'), redirectBack('login_required')),
    ),
    finds: {
      code: 'redirect-uri-unknown',
      targets: ['firefox'],
      text: /^The redirect URI is not registered/,
      remedy: /^Register exactly https:\/\/[\da-f]{40}\.extensions\.allizom\.org\/acme$/,
    },
    chrome: 'works',
    firefox: 'cannot-work',
  },
  {
    title: 'a redirect URI that a page refuses in words',
    replaced: page(html('The callback URL is not allowed', 400)),
    finds: { code: 'redirect-uri-unknown', text: /probably not registered/ },
    ...broken,
  },
  {
    title: 'a redirect URI that Entra refuses on a page with status 200',
    replaced: page(html('<script>{"message":"AADSTS50011: The redirect URI does not match"}</script>')),
    finds: { code: 'redirect-uri-unknown', text: /is not registered/ },
    ...broken,
  },
  {
    title: 'a redirect URI that is refused on another page of the provider',
    replaced: {
      answers: {
        [`${issuer}/authorize`]: redirect('/error?error=redirect_uri_mismatch'),
        [`${issuer}/error`]: html('Something went wrong'),
      },
    },
    finds: { code: 'redirect-uri-unknown', text: /is not registered/ },
    ...broken,
  },
  {
    title: 'a client ID that is not registered',
    replaced: page(oauthError('invalid_client', 'client is invalid')),
    finds: { code: 'client-unknown', text: /does not know this client ID/, remedy: /"clientId"/ },
    ...broken,
  },
  {
    title: 'a scope that the provider refuses',
    replaced: page(redirectBack('invalid_scope', { error_description: 'offline_access is unknown' })),
    finds: { code: 'scope', severity: 'error', text: /refuses the scope.*offline_access is unknown/ },
    ...broken,
  },
  {
    title: 'a client without the code flow',
    replaced: page(redirectBack('unauthorized_client')),
    finds: { code: 'code-flow-missing', severity: 'error', text: /may not use the authorization code flow/ },
    ...broken,
  },
  {
    title: 'a request that the provider refuses',
    replaced: page(redirectBack('invalid_request', { error_description: 'display is unsupported' })),
    finds: { code: 'request-refused', text: /display is unsupported/ },
    ...broken,
  },
  {
    title: 'a provider that ignores prompt=none',
    replaced: page(html('Sign in')),
    finds: { code: 'redirect-uri-unclear', text: /shows a page/ },
    ...open,
  },
  {
    title: 'a provider that goes on to another host',
    replaced: page(redirect('https://login.other.example/?next=1')),
    finds: { code: 'redirect-uri-unclear', text: /goes on to "login\.other\.example"/ },
    ...open,
  },
  {
    title: 'a provider that redirects in circles',
    replaced: page(redirect('/authorize')),
    finds: { code: 'redirect-uri-unclear', text: /in circles/ },
    ...open,
  },
  {
    title: 'an answer without the state',
    replaced: page(redirectBack('login_required', { state: 'another' })),
    finds: { code: 'response-rejected', severity: 'warning', text: /rejects the answer/ },
    ...open,
  },
  {
    title: 'no sign-in page',
    replaced: page(html('Not found', 404)),
    finds: { code: 'page-broken', severity: 'error', text: /no sign-in page/ },
    ...broken,
  },
  {
    title: 'a sign-in page that fails',
    replaced: page(html('Oops', 500)),
    finds: { code: 'page-broken', severity: 'warning', text: /HTTP 500/ },
    ...open,
  },
  {
    title: 'a request that cannot be pushed',
    settings: { par: 'always' },
    finds: { code: 'request-refused', text: /cannot be pushed.*names no endpoint/ },
    ...broken,
  },
];

describe.each([
  ['issuer', issuerMistakes],
  ['discovery document', discoveryMistakes],
  ['keys', keyMistakes],
  ['token endpoint', tokenMistakes],
  ['authorization endpoint', pageMistakes],
])('a mistake in the %s', (_where, mistakes) => {
  test.each(mistakes.map((mistake) => [mistake.title, mistake] as const))(
    'recognizes %s',
    async (_title, mistake) => {
      const { replaced, settings, more, finds, chrome, firefox } = mistake;
      const { report } = await examine(replaced, settings, more);
      const { text, remedy, ...rest } = finds;
      expect(report.findings).toContainEqual(
        expect.objectContaining({
          ...rest,
          text: expect.stringMatching(text),
          ...(remedy !== undefined && { remedy: expect.stringMatching(remedy) }),
        }),
      );
      expect(report.outlook).toEqual({ chrome, firefox });
    },
  );
});
