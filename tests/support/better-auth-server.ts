// An OpenID provider that shares no code with the demo provider: Better Auth, on this computer, with everything in memory. It
// brings the protocol and leaves the pages to its users, so the two pages are here.

import type { ServerResponse } from 'node:http';
import { oauthProvider } from '@better-auth/oauth-provider';
import { betterAuth, type BetterAuthPlugin } from 'better-auth';
import { createAuthMiddleware } from 'better-auth/api';
import { toNodeHandler } from 'better-auth/node';
import { jwt } from 'better-auth/plugins';
import { listenOnLoopback } from '../../tools/demo-provider/loopback.ts';
import { people } from '../../tools/demo-provider/people.ts';

export type BetterAuthServer = Awaited<ReturnType<typeof startBetterAuthServer>>;

/** Each user's password. */
const password = 'correct horse battery staple';

/** Starts the provider, with the people of the demo provider. */
export async function startBetterAuthServer({
  redirectUris,
  accessTokenSeconds = 3600,
}: {
  readonly redirectUris: readonly string[];
  readonly accessTokenSeconds?: number;
}) {
  const loopback = await listenOnLoopback(0);
  const origin = `http://localhost:${loopback.port}`;
  const grants: string[] = [];
  const auth = betterAuth({
    baseURL: origin,
    secret: 'a secret of at least 32 characters that only this test knows',
    logger: { disabled: true },
    telemetry: { enabled: false },
    emailAndPassword: { enabled: true },
    rateLimit: { enabled: false },
    hooks: {
      before: createAuthMiddleware(async ({ path, body }) => {
        if (path === '/oauth2/token') grants.push((body as { readonly grant_type: string }).grant_type);
      }),
    },
    plugins: [
      jwt(),
      // The two packages' types disagree about optional members that are undefined.
      oauthProvider({
        loginPage: '/sign-in',
        consentPage: '/consent',
        selectAccount: { page: '/sign-in', shouldRedirect: () => false },
        accessTokenExpiresIn: accessTokenSeconds,
      }) as unknown as BetterAuthPlugin,
    ],
  });
  for (const { name, email } of people) await auth.api.signUpEmail({ body: { name, email, password } });
  const { adapter } = await auth.$context;
  const client = {
    clientId: 'latchkey',
    tokenEndpointAuthMethod: 'none',
    redirectUris,
    postLogoutRedirectUris: redirectUris,
    enableEndSession: true,
  };
  await adapter.create({ model: 'oauthClient', data: client });

  const answer = toNodeHandler(auth);
  loopback.serve((request, response) => {
    const { pathname } = new URL(request.url ?? '', origin);
    if (pathname === '/sign-in') sendPage(response, signInPage);
    else if (pathname === '/consent') sendPage(response, consentPage);
    else {
      // The API that features call is the provider's UserInfo.
      if (pathname === '/api/me') request.url = '/api/auth/oauth2/userinfo';
      void answer(request, response);
    }
  });

  return {
    origin,
    issuer: `${origin}/api/auth`,
    /** A public client: it has no secret. */
    clientId: client.clientId,
    /** The grant type of each request to the token endpoint, in order. */
    grants,
    /** How many refresh tokens work. */
    async countRefreshTokens() {
      const tokens = await adapter.findMany<{ readonly revoked?: Date }>({ model: 'oauthRefreshToken' });
      return tokens.filter(({ revoked }) => !revoked).length;
    },
    close: loopback.close,
  };
}

/** A click sends the button's value to the provider, with the request that the provider has signed, and follows the answer. */
const script = `<script type="module">
  for (const button of document.querySelectorAll('button')) {
    button.onclick = async () => {
      const body = JSON.stringify({ ...JSON.parse(button.value), oauth_query: location.search.slice(1) });
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(document.body.dataset.path, { method: 'POST', headers, body });
      location.href = (await response.json()).url;
    };
  }
</script>`;

const toButton = (name: string, value: object) =>
  `<button name="${name}" value='${JSON.stringify(value)}'>${name}</button>`;

const signInPage = `<body data-path="/api/auth/sign-in/email">${people
  .map(({ id, email }) => toButton(id, { email, password }))
  .join('')}${script}`;

const consentPage = `<body data-path="/api/auth/oauth2/consent">${toButton('allow', { accept: true })}${toButton('deny', { accept: false })}${script}`;

function sendPage(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`<!doctype html>${body}`);
}
