// The worker in the real browser: with the real network, clock, randomness and database.

import {
  autoSignIn,
  persistence,
  policyOrigins,
  providers,
  usesApis,
  usesDeviceFlow,
  usesIdTokenResponse,
  usesLoopbackRedirect,
  usesUserApi,
} from 'latchkey:config';
import { browser } from '../bridge/browser.ts';
import { findApiMistakes, findIdTokenMistakes, findUserApiMistakes } from '../config/rules.ts';
import { findDeviceMistakes, type FindMistakes } from '../config/config.ts';
import { toSignInUri } from '../config/loopback.ts';
import { toMatchPattern } from '../config/manifest.ts';
import { readPolicy } from '../config/policy.ts';
import { idTokenFlow } from '../oidc/id-token-flow.ts';
import { byUserApi, oauthFlow } from '../oidc/oauth.ts';
import type { StartFeature } from './feature/feature-worker.ts';
import { createDeviceSignIn } from './session/device.ts';
import { oauthTokens } from './session/oauth-tokens.ts';
import { createDatabase } from './record/database.ts';
import { startWorker, type WorkerBrowser } from './worker.ts';

// The bundler leaves out what a constant switches off.
const partRules: readonly FindMistakes[] = [
  ...(usesUserApi ? [findUserApiMistakes] : []),
  ...(usesIdTokenResponse ? [findIdTokenMistakes] : []),
  ...(usesDeviceFlow ? [findDeviceMistakes] : []),
  ...(usesApis ? [findApiMistakes] : []),
];

/**
 * Starts the worker for the configured providers, and in it the feature's own part. Call it before the script of the
 * worker has run to its end, because the browser calls only the listeners that are there by then. `own` is the browser, or
 * a part of it. Each line of the journal is passed to `print`. `redirects` says whether the content security policy is the
 * build's own, which keeps redirects to the configured hosts.
 */
export function startInBrowser(
  own: WorkerBrowser,
  startFeature: StartFeature,
  redirects?: 'confined',
  print?: (line: string) => void,
): void {
  startWorker(
    own,
    self,
    {
      // Bound now: in Firefox each page of the extension can replace the one of this window, and would hear tokens.
      fetch: fetch.bind(self),
      nowMs: () => Date.now(),
      randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
      isOnline: () => navigator.onLine,
      mayReach,
      redirects,
      // oxlint-disable-next-line no-console -- no page shows it, and a developer looks there
      warn: (line) => console.warn(line),
    },
    createDatabase,
    { providers, persistence, autoSignIn },
    startFeature,
    {
      readPolicy: (policy) =>
        readPolicy(policy, { providers, persistence, autoSignIn, policyOrigins }, partRules),
      // oxlint-disable-next-line no-console -- an administrator who tries a policy out looks there
      warn: (problems) => console.warn(`The policy is not used.\n${problems.join('\n')}`),
      print,
    },
    // Likewise.
    {
      idTokenFlow: usesIdTokenResponse ? idTokenFlow : null,
      toSignInUri: usesLoopbackRedirect ? toSignInUri : null,
      oauthFlow: usesUserApi ? oauthFlow : null,
      oauthTokens: usesUserApi ? oauthTokens : null,
      createDeviceSignIn: usesDeviceFlow
        ? createDeviceSignIn(hasWindow, usesUserApi ? byUserApi : null)
        : null,
    },
  );
}

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
