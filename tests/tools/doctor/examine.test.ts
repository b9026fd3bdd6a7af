import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { printReport } from '../../../tools/doctor/print.ts';
import { toReport } from '../../../tools/doctor/report.ts';
import { identity, acme, bad, answerWhen, examine } from '../../support/doctor-scene.ts';
import { html, issuer, oauthError, redirectBack, type SentRequest } from '../../support/healthy-provider.ts';

const edgeId = 'abcdefghijklmnopabcdefghijklmnop';

describe('a provider without a mistake', () => {
  test('works in each browser', async () => {
    const { report } = await examine();
    expect(bad(report)).toEqual([]);
    expect(report.outlook).toEqual({ chrome: 'works', firefox: 'works' });
  });

  test('gets requests like those of the extension, which sign no one in', async () => {
    const { requests } = await examine();
    const at = (path: string) => requests.filter(({ url }) => url.pathname === path);
    // The doctor asks for all browsers at once, so either comes first.
    const origins = at('/token').map(({ origin }) => origin);
    expect(origins.toSorted()).toEqual([
      expect.stringMatching(/^chrome-extension:\/\/[a-p]{32}$/),
      expect.stringMatching(/^moz-extension:\/\/[\da-f-]{36}$/),
    ]);
    expect(at('/authorize').map(({ parameters }) => parameters.get('prompt'))).toEqual(['none', 'none']);
    const redirectUris = at('/authorize').map(({ parameters }) => parameters.get('redirect_uri'));
    expect(redirectUris).toHaveLength(2);
    expect(redirectUris).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^https:\/\/[a-p]{32}\.chromiumapp\.org\/acme$/),
        expect.stringMatching(/^https:\/\/[\da-f]{40}\.extensions\.allizom\.org\/acme$/),
      ]),
    );
    expect(at('/authorize').map(({ origin, mode }) => [origin, mode])).toEqual([
      [null, 'navigate'],
      [null, 'navigate'],
    ]);
    expect(requests.filter(({ headers }) => headers.has('cookie'))).toEqual([]);
    expect(requests.every(({ url }) => url.origin === issuer)).toBe(true);
  });

  test('is asked as the extension from Edge Add-ons too, whose id is another', async () => {
    const { report, requests } = await examine({}, {}, { edgeId });
    expect(report.outlook).toEqual({ chrome: 'works', edge: 'works', firefox: 'works' });
    expect(report.register.redirectUris.edge).toBe(`https://${edgeId}.chromiumapp.org/acme`);
    expect(requests.map(({ origin }) => origin)).toContain(`chrome-extension://${edgeId}`);
  });

  test('is asked with the loopback redirect URI in Firefox, if the configuration says so', async () => {
    const { report, requests } = await examine({}, { firefoxRedirect: 'loopback' });
    const loopback = /^http:\/\/127\.0\.0\.1\/mozoauth2\/[\da-f]{40}\/acme$/;
    expect(report.register.redirectUris).toEqual({
      chrome: expect.stringMatching(/^https:\/\/[a-p]{32}\.chromiumapp\.org\/acme$/),
      firefox: expect.stringMatching(loopback),
    });
    const asked = requests.map(({ parameters }) => parameters.get('redirect_uri'));
    expect(asked).toContainEqual(expect.stringMatching(loopback));
    expect(report.outlook).toEqual({ chrome: 'works', firefox: 'works' });
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

  test('is asked for an ID token, if it answers with that itself', async () => {
    const inFragment = (request: SentRequest) => {
      const answer = redirectBack('login_required')(request) as Response;
      const location = answer.headers.get('location')?.replace('?', '#') ?? '';
      return new Response(null, { status: 302, headers: { location } });
    };
    const settings = { responseType: 'id_token', apiToken: 'id_token' };
    const { report, requests } = await examine(
      { answers: { [`${issuer}/authorize`]: inFragment } },
      settings,
    );
    const pages = requests.filter(({ url }) => url.pathname === '/authorize');
    expect(pages.map(({ parameters }) => parameters.get('response_type'))).toEqual(['id_token', 'id_token']);
    expect(report.outlook).toEqual({ chrome: 'works', firefox: 'works' });
  });

  test('may refuse a made-up code as forbidden, by an error of OAuth', async () => {
    const answers = { [`${issuer}/token`]: oauthError('invalid_code', '', 403) };
    const document = { token_endpoint_auth_methods_supported: ['client_secret_basic'] };
    const { report } = await examine({ answers, document });
    // The endpoint's behaviour counts for more than the document's list.
    expect(bad(report)).toEqual([]);
  });

  test('may have its sign-in page on another host that the configuration names', async () => {
    const authorization_endpoint = 'https://login.other.example/authorize';
    const answers = { [authorization_endpoint]: redirectBack('login_required') };
    const document = { authorization_endpoint };
    const named = { metadata: { authorization_endpoint } };
    expect((await examine({ answers, document }, named)).report.outlook).toEqual({
      chrome: 'works',
      firefox: 'works',
    });
  });

  test('may answer access_denied or with a code, because both come after its checks', async () => {
    const answers = { [`${issuer}/authorize`]: redirectBack('access_denied') };
    expect(bad((await examine({ answers })).report)).toEqual([]);
  });
});
