import { describe, expect, test } from 'vitest';
import { printReport } from '../../../tools/doctor/print.ts';
import { toReport } from '../../../tools/doctor/report.ts';
import { toExtensionIds } from '../../../tools/redirect-uris.ts';
import { bad, configure, examine, identity, ids, less, open } from '../../support/doctor-scene.ts';
import {
  answerWhen,
  at,
  html,
  issuer,
  oauthError,
  redirectBack,
  type Answer,
  type SentRequest,
} from '../../support/healthy-provider.ts';

const edgeId = 'abcdefghijklmnopabcdefghijklmnop';
const page = (answer: Answer) => at('/authorize', answer);

describe('a provider without a mistake', () => {
  test('works in each browser', async () => {
    const { report } = await examine();
    const codes = report.findings.map(({ code, severity }) => [code, severity]);
    expect(codes).toEqual([
      ['discovery', 'ok'],
      ['keys', 'ok'],
      ['token-endpoint', 'ok'],
      ['redirect-uri', 'ok'],
    ]);
    expect(report.outlook).toEqual(less);
  });

  test('gets requests like those of the extension, which sign no one in', async () => {
    const { requests } = await examine();
    const sentTo = (path: string) => requests.filter(({ url }) => url.pathname === path);
    const sorted = (values: readonly unknown[]) => values.map(String).toSorted();
    // The doctor asks for all browsers at once, so either comes first.
    expect(sorted(sentTo('/token').map(({ origin }) => origin))).toEqual([
      expect.stringMatching(/^chrome-extension:\/\/[a-p]{32}$/),
      expect.stringMatching(/^moz-extension:\/\/[\da-f-]{36}$/),
    ]);
    const pages = sentTo('/authorize');
    // The last is for the page that Chromium's window would show.
    expect(sorted(pages.map(({ parameters }) => parameters.get('prompt')))).toEqual(['none', 'none', 'null']);
    const redirectUris = new Set(pages.map(({ parameters }) => parameters.get('redirect_uri')));
    expect(redirectUris.size).toBe(2);
    expect([...redirectUris]).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^https:\/\/[a-p]{32}\.chromiumapp\.org\/acme$/),
        expect.stringMatching(/^https:\/\/[\da-f]{40}\.extensions\.allizom\.org\/acme$/),
      ]),
    );
    for (const { origin, mode } of pages) expect([origin, mode]).toEqual([null, 'navigate']);
    expect(requests.filter(({ headers }) => headers.has('cookie'))).toEqual([]);
    expect(requests.every(({ url }) => url.origin === issuer)).toBe(true);
  });

  test('is asked as the extension from Edge Add-ons too, whose id is another', async () => {
    const { report, requests } = await examine({}, {}, { ids: { ...ids, edgeId } });
    expect(report.outlook).toEqual({ chrome: 'works', edge: 'works', firefox: 'works' });
    expect(report.register.redirectUris.edge).toBe(`https://${edgeId}.chromiumapp.org/acme`);
    expect(requests.map(({ origin }) => origin)).toContain(`chrome-extension://${edgeId}`);
  });

  test('is asked with the loopback redirect URI in Firefox, if the configuration says so', async () => {
    const { report, requests } = await examine({}, { firefoxRedirect: 'loopback' });
    const loopback = /^http:\/\/127\.0\.0\.1\/mozoauth2\/[\da-f]{40}\/acme$/;
    expect(report.register.redirectUris.firefox).toMatch(loopback);
    const asked = requests.map(({ parameters }) => parameters.get('redirect_uri'));
    expect(asked).toContainEqual(expect.stringMatching(loopback));
    expect(report.outlook).toEqual(less);
  });

  test('is not asked at all offline, and nothing says that it works', async () => {
    const { report, requests } = await examine({}, {}, { network: null });
    expect(requests).toEqual([]);
    expect(report.outlook).toEqual(open);
    expect(printReport(toReport('my.json', 'offline', [report])).join('\n')).not.toMatch(/\bworks?\b/);
  });

  test('may show its page in spite of prompt=none, if it refuses a made-up redirect URI', async () => {
    const registered = Object.values((await examine()).report.register.redirectUris);
    const isOwn = ({ parameters }: SentRequest) => registered.includes(parameters.get('redirect_uri') ?? '');
    const scene = page(answerWhen(isOwn, html('Sign in'), oauthError('invalid_redirect_uri')));
    const { report } = await examine(scene);
    expect(bad(report)).toEqual([
      expect.objectContaining({
        code: 'redirect-uri',
        severity: 'warning',
        text: expect.stringContaining("can't be renewed silently"),
      }),
    ]);
    expect(report.outlook).toEqual(less);

    const provider = { ...configure({}), userApi: { url: 'https://api.acme.example/me' } };
    expect(bad((await examine(scene, {}, { provider })).report)).toEqual([]);
  });

  test('without "key" in manifest.json is asked as the extension in Firefox alone', async () => {
    const { key: _key, ...keyless } = identity;
    const { report } = await examine({}, {}, { ids: toExtensionIds(keyless) });
    expect(report.outlook).toEqual({ firefox: 'works' });
    expect(bad(report)).toEqual([expect.objectContaining({ code: 'key-missing', severity: 'warning' })]);
  });

  test('that signs people in by a device code alone is not said to work', async () => {
    const provider = { ...configure({}), deviceFlow: 'only' };
    const { report, requests } = await examine({}, {}, { provider });
    expect(bad(report)).toEqual([expect.objectContaining({ code: 'not-checked' })]);
    expect(report.outlook).toEqual(open);
    expect(requests.map(({ url }) => url.pathname)).not.toContain('/authorize');
  });

  test('is asked for an ID token, if it answers with that itself', async () => {
    const inFragment = page((request) => {
      const answer = redirectBack('login_required')(request);
      const location = answer.headers.get('location')?.replace('?', '#') ?? '';
      return new Response(null, { status: 302, headers: { location } });
    });
    const { report, requests } = await examine(inFragment, {
      responseType: 'id_token',
      apiToken: 'id_token',
    });
    const pages = requests.filter(({ url }) => url.pathname === '/authorize');
    const types = new Set(pages.map(({ parameters }) => parameters.get('response_type')));
    expect([...types]).toEqual(['id_token']);
    expect(report.outlook).toEqual(less);
  });
});
