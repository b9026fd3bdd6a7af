// A provider that misbehaves, between the extension and the demo provider: it shows a page where it must not, or repeats
// a token in its error.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { listenOnLoopback } from '../../tools/demo-provider/loopback.ts';
import {
  approve,
  popupWith,
  popupWithProblem,
  readStorage,
  setUpExtension,
  startSignIn,
  type BrowserSetup,
  type Extension,
} from '../support/browser/setup.ts';
import { isOfThisBrowser } from '../support/browser/share.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, demo: string) => Promise<void> | void;

/** Starts the demo provider with `answer` in place of one of its endpoints. */
async function setUpBetween(
  endpoint: 'authorization_endpoint' | 'token_endpoint',
  answer: Answer,
  setup: BrowserSetup,
) {
  const loopback = await listenOnLoopback(0);
  onTestFinished(() => loopback.close());
  const origin = `http://localhost:${loopback.port}`;
  let demo = '';
  loopback.serve((request, response) => void answer(request, response, demo));
  const extension = await setUpExtension({
    ...setup,
    configuration: {
      ...setup.configuration,
      origins: [origin],
      metadata: { [endpoint]: `${origin}/endpoint` },
    },
  });
  demo = extension.demo.issuer;
  return extension;
}

async function signIn(extension: Extension): Promise<void> {
  await approve(await startSignIn(extension));
  await popupWith(extension, 'signed-in');
  await extension.browser.closePopup();
}

test.runIf(isOfThisBrowser(0))(
  'a session without a refresh token ends once when the provider shows a page in a silent sign-in',
  async () => {
    let silent = 0;
    const extension = await setUpBetween(
      'authorization_endpoint',
      ({ url = '' }, response, demo) => {
        const query = url.slice(url.indexOf('?'));
        if (!query.includes('prompt=none')) {
          response.writeHead(302, { location: `${demo}/auth${query}` }).end();
          return;
        }
        silent += 1;
        response.setHeader('content-type', 'text/html');
        response.end('<title>Please sign in</title>');
      },
      { provider: { accessTokenSeconds: 1 }, configuration: { scope: 'openid profile email' } },
    );
    await signIn(extension);
    const popup = await popupWithProblem(extension, 'expired');
    expect(await popup.$('[data-provider="demo"]')).not.toBeNull();
    const asked = silent;
    await extension.browser.closePopup();
    await popupWithProblem(extension, 'expired');
    expect(silent).toBe(asked);
  },
);

test.runIf(isOfThisBrowser(0))(
  'a refresh token that a provider repeats is neither on the board nor in the popup',
  async () => {
    const sent = new Set<string>();
    const extension = await setUpBetween(
      'token_endpoint',
      async (request, response, demo) => {
        response.setHeader('content-type', 'application/json');
        response.setHeader('access-control-allow-origin', '*');
        response.setHeader('access-control-allow-headers', '*');
        const body = await readText(request);
        const token = new URLSearchParams(body).get('refresh_token');
        if (token !== null) {
          sent.add(token);
          response
            .writeHead(400)
            .end(JSON.stringify({ error: 'invalid_client', error_description: `not for ${token}` }));
          return;
        }
        const headers = { 'content-type': 'application/x-www-form-urlencoded' };
        const answer = await fetch(`${demo}/token`, { method: 'POST', headers, body });
        response.writeHead(answer.status).end(await answer.text());
      },
      { provider: { accessTokenSeconds: 1 } },
    );
    await signIn(extension);
    const popup = await popupWithProblem(extension, 'provider-misconfigured');
    const [token = ''] = sent;
    expect(token).not.toBe('');
    const shown = [
      JSON.stringify(await readStorage(extension)),
      await popup.$eval('main', (main) => main.outerHTML),
    ].join('\n');
    expect(shown).toContain('renewal: invalid_client');
    expect(shown).not.toContain('not for');
    expect(shown).not.toContain(token.slice(0, 12));
  },
);
