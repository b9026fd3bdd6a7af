// A provider that puts a text of its own into every field of every answer: no page sees it. Only the user's profile, and
// the addresses and the code that a provider has for a user, are its own words. The fuzzer (tests/fuzz) changes each part of
// metadata, keys, tokens and redirects; here is what the worker makes of answers.

import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Provider } from '../../src/config/provider.ts';
import { readJournal } from '../../src/bridge/report/journal-lines.ts';
import { toReport } from '../../src/bridge/report/report.ts';
import { settledView } from '../../src/session/view.ts';
import { byCode, deviceScript } from '../support/device-scene.ts';
import { isLong } from '../support/extent.ts';
import { discovery, hour, setUpWorker, type Scene } from '../support/worker-setup.ts';
import { apiOrigin } from '../support/scripted-api.ts';
import { readSeed } from '../support/seed.ts';
import {
  issuer,
  plainSettings,
  plainToken,
  provider as scripted,
  type Answer,
  type Script,
} from '../support/scripted-provider.ts';

const mark = 'own-words-of-the-provider';

const errors = {
  error_description: `no ${mark} here`,
  error_uri: `${issuer}/${mark}`,
  [mark]: mark,
};
const headers = {
  'www-authenticate': `Bearer error="${mark}", error_description="${mark}", ${mark}="${mark}"`,
  'dpop-nonce': mark,
  'retry-after': mark,
  'x-error': mark,
};
const json = (body: unknown, status: number) =>
  Response.json(body, { status, statusText: mark, headers: { ...headers } });
const text = (body: string, status: number, contentType: string) =>
  new Response(body, { status, statusText: mark, headers: { ...headers, 'content-type': contentType } });
const withoutChallenge = (response: Response) => {
  response.headers.delete('www-authenticate');
  return response;
};

/** The answers of any endpoint. */
const answers: readonly Answer[] = [
  ...[mark, 'invalid_request', 'invalid_client', 'access_denied', 'server_error', 'invalid_grant'].map(
    (error) => withoutChallenge(json({ ...errors, error }, 400)),
  ),
  ...[401, 403, 503].map((status) => json({ ...errors, error: mark }, status)),
  json({ ...errors, error: [mark] }, 400),
  json({ ...errors, access_token: 7, token_type: mark }, 200),
  json({ access_token: mark, token_type: mark, expires_in: mark, scope: mark, id_token: mark }, 200),
  json({ keys: [{ kty: mark, kid: mark }], sub: mark, [mark]: mark }, 200),
  json([mark], 200),
  text(`{${mark}`, 200, 'application/json'),
  text(mark, 200, `text/${mark}`),
  text(`<p>${mark} redirect_uri client_id</p>`, 400, 'text/html'),
  new Response(null, { status: 302, headers: { location: `${issuer}/${mark}` } }),
  () => Promise.reject(new TypeError(mark)),
];

interface Flow {
  readonly provider: Provider;
  readonly script: Script;
  /** The endpoints that a sign-in asks. */
  readonly paths: readonly string[];
  /** The groups of endpoints that answer so in a session. */
  readonly groups: readonly (readonly string[])[];
}

const fetching = { apiOrigins: [apiOrigin] };
const pushing = {
  pushed_authorization_request_endpoint: `${issuer}/par`,
  require_pushed_authorization_requests: true,
};

const flows: Readonly<Record<string, Flow>> = {
  code: {
    provider: { ...scripted, ...fetching },
    script: { claims: { picture: undefined } },
    paths: [discovery, '/keys', '/token'],
    groups: [['/token'], [discovery, '/keys', '/userinfo', '/revoke']],
  },
  'code with a pushed request and DPoP': {
    provider: { ...scripted, ...fetching, dpop: 'required', acrValues: 'gold' },
    script: { metadata: pushing, claims: { acr: 'gold' } },
    paths: ['/par', '/token'],
    groups: [
      ['/par', '/token'],
      ['/userinfo', '/revoke'],
    ],
  },
  'ID token': {
    provider: { ...scripted, ...fetching, responseType: 'id_token', apiToken: 'id_token' },
    script: {
      metadata: { authorization_response_iss_parameter_supported: false, token_endpoint: undefined },
      provider: { responseType: 'id_token' },
    },
    paths: [discovery, '/keys'],
    groups: [[discovery, '/keys']],
  },
  'device code': {
    provider: { ...byCode, ...fetching },
    script: deviceScript(),
    paths: [discovery, '/device', '/token', '/keys'],
    groups: [['/device', '/token']],
  },
  'plain OAuth 2': {
    provider: { ...scripted, ...plainSettings, ...fetching },
    script: { token: plainToken },
    paths: ['/token', '/user'],
    groups: [['/token'], ['/user', '/revoke']],
  },
};

/** The third of `inputs` that `npm test` tries in this flow, or the rest in the long run. Another flow tries another third. */
function toTry<Input>(inputs: readonly Input[], flow: Flow): readonly Input[] {
  const place = Object.values(flows).indexOf(flow) + readSeed();
  return inputs.filter((_input, index) => ((index + place) % 3 === 0) !== isLong);
}

const begin = ({ provider, script }: Flow, changed: Script['answers'] = {}): Scene =>
  setUpWorker({
    script: { ...script, answers: { ...script.answers, ...changed } },
    providers: [provider],
  });

const isInFragment = ({ worker }: Scene) =>
  worker.windows.at(-1)?.url.includes('response_type=id_token') === true;

const isShowingCode = ({ worker }: Scene) => {
  const session = worker.session();
  return session?.status === 'signing-in' && Boolean(session.device);
};

/** Signs in as far as the provider lets. */
async function signIn(scene: Scene): Promise<unknown[]> {
  const { worker } = scene;
  const replies = [await worker.send({ type: 'sign-in', providerId: 'scripted' })];
  await worker.rest();
  if (isShowingCode(scene)) {
    scene.clock.nowMs += 5_000;
    await vi.advanceTimersByTimeAsync(5_000);
    await worker.rest();
  }
  const window = worker.windows.at(-1);
  if (window === undefined) return replies;
  window.appear();
  window.redirect(
    isInFragment(scene)
      ? await worker.provider.approveWithIdToken(window.url)
      : worker.provider.approve(window.url),
  );
  return replies;
}

/** The details that were seen: the provider must have been heard. */
const details = new Set<string>();

// A test by device code waits five seconds for the tokens.
beforeEach(() => {
  details.clear();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
});

/** Nothing that a page can see has the mark in it. */
async function expectClosed({ worker }: Scene, seen: readonly unknown[] = []): Promise<void> {
  await worker.rest();
  const board = worker.readBoard();
  const report = toReport(await readJournal(worker.area), {
    nowMs: 0,
    product: '',
    version: '',
    extensionId: '',
    browser: '',
    language: '',
    persistence: '',
    board,
  });
  const detail = board && settledView(board.session).problem?.detail;
  if (typeof detail === 'string') details.add(detail);
  const shown = JSON.stringify([board, report, [...worker.area.items], seen]);
  expect(shown.toLowerCase()).not.toContain(mark);
}

/** The user looks again after an hour, and a feature fetches. */
async function goOn(scene: Scene): Promise<unknown[]> {
  const { worker, clock } = scene;
  clock.nowMs += hour;
  const replies = [await worker.open()];
  await worker.rest();
  clock.nowMs += hour;
  const refusal: unknown = await worker.fetch(`${apiOrigin}/`).catch((error: unknown) => String(error));
  return [...replies, refusal instanceof Response ? refusal.status : refusal];
}

describe('own words of a provider reach no page', () => {
  test.each(Object.entries(flows))('at a sign-in by %s', async (_name, flow) => {
    for (const path of flow.paths) {
      details.clear();
      for (const answer of toTry(answers, flow)) {
        const scene = begin(flow, { [path]: answer });
        await expectClosed(scene, await signIn(scene));
      }
      expect([path, details.size > 1]).toEqual([path, true]);
    }
  });

  test.each(Object.entries(flows))('in a session by %s', async (_name, flow) => {
    const hostile = flow.groups.flatMap((group) =>
      toTry(answers, flow).map((answer) => Object.fromEntries(group.map((path) => [path, answer]))),
    );
    for (const changed of hostile) {
      const scene = begin(flow);
      const { worker, script } = scene;
      await expectClosed(scene, await signIn(scene));
      expect(worker.session()?.status).toBe('signed-in');
      script.answers = { ...script.answers, ...changed };
      worker.silence.answer = (url) =>
        `${new URL(url).searchParams.get('redirect_uri')}?error=${mark}&error_description=${mark}`;
      await expectClosed(scene, await goOn(scene));
      worker.restartWorker();
      await expectClosed(scene, [await worker.open(), await worker.signOut()]);
    }
  });

  test('on its sign-in page, when the window has failed', async () => {
    for (const answer of answers) {
      const scene = setUpWorker({ script: { answers: { '/authorize': answer } } });
      const window = await scene.worker.beginShown();
      window.fail('Authorization page could not be loaded.');
      await expectClosed(scene);
    }
    expect(details.size).toBeGreaterThan(4);
  });
});
