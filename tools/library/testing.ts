// The package's entry point for tests: `latchkey/testing`. What needs a browser comes from the package latchkey-tools.

import type { FeatureProps, FeatureWorkerProps } from '../../src/feature/feature-props.ts';
import type { Profile } from '../../src/session/view.ts';
import type { ExtensionOptions, RunningExtension } from '../set-up-extension.ts';
import type { DemoProvider, DemoProviderOptions } from '../demo-provider/provider.ts';

export type { DemoProvider, DemoProviderOptions, ExtensionOptions, RunningExtension };

/** A user as the demo provider describes its first one. */
export const fakeUser: Profile = {
  providerId: 'demo',
  subject: 'marisol',
  name: 'Marisol Vega',
  email: 'marisol.vega@example.com',
  emailVerified: true,
  picture: null,
};

const refuse = () =>
  Promise.reject(new Error('This test passes no fetch. Pass one that responds: { fetch: async () => … }'));

/** Props for a feature in a test: {@link fakeUser}, who grants everything, and a `fetch` that rejects. `changes` replaces them. */
export function fakeFeatureProps(changes: Partial<FeatureProps> = {}): FeatureProps {
  const grant = () => Promise.resolve('granted' as const);
  return { user: fakeUser, fetch: refuse, requestScope: grant, requestStepUp: grant, ...changes };
}

export interface FakeFeatureWorker {
  readonly props: FeatureWorkerProps;
  signIn(user?: Profile): void;
  signOut(): void;
  grant(scope: string): void;
}

/**
 * A worker for a feature's background code in a test. As in the browser, a listener of `onSession` hears who is signed in some time
 * after it has been registered: no user, until the test calls `signIn`.
 */
export function fakeFeatureWorker({
  fetch = refuse,
}: { readonly fetch?: typeof globalThis.fetch } = {}): FakeFeatureWorker {
  const sessions: ((user: Profile | null) => void)[] = [];
  const grants: ((scope: string) => void)[] = [];
  let current: Profile | null = null;
  const change = (user: Profile | null) => {
    current = user;
    for (const listener of sessions) listener(user);
  };
  return {
    props: {
      fetch,
      onSession(listener) {
        queueMicrotask(() => {
          sessions.push(listener);
          listener(current);
        });
      },
      onGrant: (listener) => void grants.push(listener),
    },
    signIn: (user = fakeUser) => change(user),
    signOut: () => change(null),
    grant(scope) {
      for (const listener of grants) listener(scope);
    },
  };
}

/** Starts the demo provider: a real OpenID Provider on this computer, by default on a free port. */
export async function startDemoProvider(options?: DemoProviderOptions): Promise<DemoProvider> {
  const provider = await import('../demo-provider/provider.ts');
  return provider.startDemoProvider(options);
}

/**
 * Builds the extension for the demo provider, starts the provider on a free port, and opens a browser without a window
 * with the extension in it. Close it after the test.
 */
export async function setUpExtension(options?: ExtensionOptions): Promise<RunningExtension> {
  const setUp = await import('../set-up-extension.ts');
  return setUp.setUpExtension(options);
}
