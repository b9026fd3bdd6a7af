// The worker's entry point: the worker in the real browser, with the real network, clock, randomness and database.

import {
  persistence,
  policyOrigins,
  providers,
  usesDeviceFlow,
  usesIdTokenResponse,
  usesLoopbackRedirect,
  usesUserApi,
} from 'latchkey:config';
import { browser } from '../bridge/browser.ts';
import type { Entry } from '../bridge/report/entries.ts';
import { findMissingDeviceEndpoints, type PartRule } from '../config/config.ts';
import { toMatchPattern } from '../config/origins.ts';
import { readPolicy } from '../config/policy.ts';
import startFeature from '../feature/worker.ts';
import { toSignInUri } from '../config/loopback.ts';
import { findIdTokenMistakes } from '../config/response-type.ts';
import { findUserApiMistakes } from '../config/user-api.ts';
import { idTokenFlow } from '../oidc/id-token-flow.ts';
import { byUserApi, oauthFlow } from '../oidc/oauth-flow.ts';
import { createDeviceSignIn } from './session/device-sign-in.ts';
import { oauthTokens } from './session/oauth-tokens.ts';
import { createDatabase } from './vault/database.ts';
import { startWorker } from './worker.ts';

/** Asks for the manifest's own patterns, which name the port in Chromium and not in Firefox. */
function mayReach(origin: string): Promise<boolean> {
  const { host_permissions: patterns = [] } = browser.runtime.getManifest() as {
    host_permissions?: string[];
  };
  const origins = patterns.filter(
    (pattern) => pattern === `${origin}/*` || pattern === toMatchPattern(origin),
  );
  return browser.permissions.contains({ origins });
}

/** Some browsers have no sign-in window at all. */
function hasWindow(): boolean {
  return 'launchWebAuthFlow' in ((browser as Partial<typeof browser>).identity ?? {});
}

/** Prints the journal to the worker's console in a development build; a production build does not contain it. */
function print(entry: Entry): void {
  // oxlint-disable-next-line no-console -- development only
  if (import.meta.env.DEV) console.debug('Latchkey journal:', entry);
}

// The bundler leaves out what a constant switches off.
const partRules: readonly PartRule[] = [
  ...(usesUserApi ? [findUserApiMistakes] : []),
  ...(usesIdTokenResponse ? [findIdTokenMistakes] : []),
  ...(usesDeviceFlow ? [findMissingDeviceEndpoints] : []),
];

startWorker(
  browser,
  self,
  {
    fetch: (url, init) => fetch(url, init),
    nowMs: () => Date.now(),
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    isOnline: () => navigator.onLine,
    mayReach,
  },
  createDatabase,
  { providers, persistence },
  startFeature,
  {
    readPolicy: (policy) => readPolicy(policy, { providers, persistence, policyOrigins }, partRules),
    // oxlint-disable-next-line no-console -- an administrator who tries a policy out looks there
    warn: (problems) => console.warn(`Latchkey: the policy is not used.\n${problems.join('\n')}`),
    print,
  },
  // Likewise.
  {
    idTokenFlow: usesIdTokenResponse ? idTokenFlow : null,
    toSignInUri: usesLoopbackRedirect ? toSignInUri : null,
    oauthFlow: usesUserApi ? oauthFlow : null,
    oauthTokens: usesUserApi ? oauthTokens : null,
    createDeviceSignIn: usesDeviceFlow ? createDeviceSignIn(hasWindow, usesUserApi ? byUserApi : null) : null,
  },
);
