// A relay with one provider whose answers a test writes down.

import type { RelayProvider } from '../../tools/relay/config.ts';
import { createRelay, type LogEntry } from '../../tools/relay/relay.ts';

export const redirectUri = 'https://mccmlgehmoicaeilcpoogfaohefhnoia.chromiumapp.org/acme';
export const chromiumOrigin = 'chrome-extension://mccmlgehmoicaeilcpoogfaohefhnoia';

export const acme: RelayProvider = {
  id: 'acme',
  clientId: 'latchkey',
  clientSecret: 'the secret + of/acme',
  tokenEndpoint: 'https://id.acme.example/token',
  revocationEndpoint: 'https://id.acme.example/revoke',
  clientAuthentication: 'client_secret_basic',
  redirectUris: [redirectUri],
};

/** A form as the extension sends it, to redeem a code. */
export const redemption = {
  grant_type: 'authorization_code',
  client_id: acme.clientId,
  code: 'code-1',
  redirect_uri: redirectUri,
  code_verifier: 'v'.repeat(43),
};

export const renewal = { grant_type: 'refresh_token', client_id: acme.clientId, refresh_token: 'refresh-1' };
export const revocation = { client_id: acme.clientId, token: 'refresh-1', token_type_hint: 'refresh_token' };

/** A request that the relay has sent to the provider. */
interface Forwarded {
  readonly url: string;
  readonly init: RequestInit;
  readonly headers: Headers;
  readonly form: URLSearchParams;
}

export interface RelaySceneOptions {
  readonly provider?: Partial<RelayProvider>;
  /** The provider's answer. Default: a token response. */
  readonly answer?: (request: Forwarded) => Response | Promise<Response>;
}

export const tokenResponse = { access_token: 'access-1', token_type: 'Bearer', expires_in: 300 };

export function createRelayScene(options: RelaySceneOptions = {}) {
  const forwarded: Forwarded[] = [];
  const log: LogEntry[] = [];
  const answer = options.answer ?? (() => Response.json(tokenResponse));
  const relay = createRelay(
    { providers: [{ ...acme, ...options.provider }] },
    {
      log: (entry) => log.push(entry),
      fetch: async (url, init) => {
        const form = new URLSearchParams(String(init.body));
        const request = { url, init, headers: new Headers(init.headers), form };
        forwarded.push(request);
        return answer(request);
      },
    },
  );
  return {
    forwarded: forwarded as readonly Forwarded[],
    log: log as readonly LogEntry[],
    send: relay,
    /** Sends a form, or a body as it is. */
    post: (path: string, form: Readonly<Record<string, string>> | string, headers: HeadersInit = {}) =>
      relay(
        new Request(`https://relay.example${path}`, {
          method: 'POST',
          body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
          headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        }),
      ),
  };
}
