// The relying-party modules that a person notices, in the whole extension: over real HTTP, the scripted provider makes the
// same faults as the suite's provider, and the popup reports them. tests/oidc/relying-party.test.ts runs all modules.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { UnsecuredJWT } from 'jose';
import { expect, onTestFinished, test } from 'vitest';
import {
  createScriptedProvider,
  createSigningKey,
  signIdToken,
  type Script,
} from '../support/scripted-provider.ts';
import { listenOnLoopback } from '../../tools/demo-provider/loopback.ts';
import { popupWith, popupWithProblem, setUpExtension } from '../support/browser/setup.ts';
import { isOfThisBrowser } from '../support/browser/share.ts';

/** Serves the scripted provider over HTTP. Its sign-in page redirects at once, as if the person had agreed. */
async function serveScriptedProvider(script: Script) {
  const loopback = await listenOnLoopback(0);
  onTestFinished(() => loopback.close());
  const issuer = `http://localhost:${loopback.port}`;
  script.issuer = issuer;
  const provider = createScriptedProvider(script);
  let windows = 0;

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = `${issuer}${request.url}`;
    if (request.url?.startsWith('/authorize')) {
      windows += 1;
      const redirect = new URL(provider.approve(url));
      response.writeHead(302, { location: script.redirect?.(redirect) ?? redirect.href }).end();
      return;
    }
    const { status, headers, body } = await provider.client.world.fetch(url, {
      method: request.method ?? 'GET',
      headers: request.headers as Record<string, string>,
      body: new URLSearchParams(await readText(request)),
    });
    const allowed = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
    response.writeHead(status, { ...Object.fromEntries(headers), ...allowed });
    response.end(body === null ? '' : Buffer.from(await new Response(body).arrayBuffer()));
  };
  loopback.serve((request, response) => void answer(request, response));
  return { issuer, windows: () => windows };
}

const script: Script = {};
const known = await createSigningKey('key-1');
const rotated = await createSigningKey('key-2');
const foreign = await createSigningKey('key-1');

/** Each fault or peculiarity of the provider, and the outcome of the sign-in. */
const modules: readonly (readonly [module: string, Script, outcome: 'signed-in' | 'response-rejected'])[] = [
  ['oidcc-client-test', {}, 'signed-in'],
  ['oidcc-client-test-invalid-iss', { claims: { iss: 'https://other.example' } }, 'response-rejected'],
  ['oidcc-client-test-invalid-aud', { claims: { aud: 'another' } }, 'response-rejected'],
  ['oidcc-client-test-missing-sub', { claims: { sub: undefined } }, 'response-rejected'],
  ['oidcc-client-test-nonce-invalid', { claims: { nonce: 'another' } }, 'response-rejected'],
  [
    'oidcc-client-test-invalid-athash',
    { claims: { at_hash: 'LDktKdoQak3Pk0cnXxCltA' } },
    'response-rejected',
  ],
  [
    'oidcc-client-test-idtoken-sig-none',
    { idToken: (claims) => new UnsecuredJWT(claims).encode() },
    'response-rejected',
  ],
  [
    'oidcc-client-test-invalid-sig-es256',
    { idToken: (claims) => signIdToken(claims, foreign) },
    'response-rejected',
  ],
  ['oidcc-client-test-signing-key-rotation-just-before-signing', { signingKey: rotated }, 'signed-in'],
  [
    'fapi2-security-profile-final-client-test-invalid-authorization-response-iss',
    { redirect: (url) => url.searchParams.set('iss', 'https://other.example') },
    'response-rejected',
  ],
  [
    'fapi2-security-profile-final-client-test-remove-authorization-response-iss',
    { redirect: (url) => url.searchParams.delete('iss') },
    'response-rejected',
  ],
  [
    'fapi2-security-profile-final-client-test-ensure-authorization-response-with-invalid-state-fails',
    { redirect: (url) => url.searchParams.set('state', 'another') },
    'response-rejected',
  ],
  [
    'oidcc-client-test-userinfo-invalid-sub',
    { answers: { '/userinfo': { sub: 'eve', name: 'Eve' } } },
    'signed-in',
  ],
];

test.runIf(isOfThisBrowser(0))(
  'a person is signed in by a provider that follows the rules, and learns of one that does not',
  async () => {
    script.signingKey = known;
    const { issuer, windows } = await serveScriptedProvider(script);
    const extension = await setUpExtension({ configuration: { issuer, clientId: 'client', apiOrigins: [] } });

    const [shown, expected]: [unknown[], unknown[]] = [[], []];
    const met = modules.filter((_, index) => isOfThisBrowser(index));
    for (const [index, [module, fault, outcome]] of met.entries()) {
      Object.assign(
        script,
        { claims: {}, idToken: undefined, signingKey: known, redirect: undefined, answers: {} },
        fault,
      );
      const before = await popupWith(extension, 'signed-out');
      // Not by mouse: a click so soon after the last one would count as the second of a double click.
      await before.$eval('[data-provider="demo"]', (button) => (button as HTMLButtonElement).click());
      // By now the popup shows nothing of the previous module.
      await expect.poll(windows, { timeout: 10_000 }).toBe(index + 1);
      const status = outcome === 'signed-in' ? outcome : 'signed-out';
      const popup = await (status === 'signed-in'
        ? popupWith(extension, status)
        : popupWithProblem(extension, 'response-rejected'));
      shown.push([
        module,
        await popup.$eval('main', (main) => [
          main.dataset['status'],
          main.innerText.includes('Ada Lovelace'),
        ]),
      ]);
      expected.push([module, [status, status === 'signed-in']]);
      if (status === 'signed-out') continue;
      await popup.$eval('[data-action="sign-out"]', (button) => (button as HTMLButtonElement).click());
    }
    expect(shown).toEqual(expected);
  },
  120_000,
);
