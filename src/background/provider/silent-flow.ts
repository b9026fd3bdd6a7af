// A flow without a window: the browser follows the redirects by itself.

import { withTimeout } from '../../concurrency/timeout.ts';
import { UnsentError } from '../../oidc/exchange.ts';
import { words } from '../../session/detail.ts';
import { ProblemError } from '../../session/problem.ts';
import { isOccupied, toWindowProblem } from './window-problem.ts';

/** The parts of the browser that a flow uses. Each is asked for at its first use, because that takes a browser time. */
export interface FlowBrowser {
  /** Missing in Firefox for Android. */
  readonly identity?: {
    launchWebAuthFlow(details: {
      readonly url: string;
      readonly interactive: boolean;
      readonly timeoutMsForNonInteractive?: number;
    }): Promise<string>;
  };
  readonly runtime: {
    /** Firefox alone has this. */
    getBrowserInfo?(): Promise<unknown>;
  };
}

/** How long the redirects of a silent sign-in may take. */
const silentTimeoutMs = 15_000;

/** The browser's sign-in window. Throws {@link ProblemError} `not-supported` where there is none. */
export function requireIdentity<Identity>({ identity }: { readonly identity?: Identity }): Identity {
  if (!identity) throw new ProblemError('not-supported');
  return identity;
}

/** Resolves with the URL that ends the flow. Throws {@link ProblemError}: `expired` if the provider shows a page. */
export async function followSilently(browser: FlowBrowser, url: string): Promise<string> {
  const launched = requireIdentity(browser).launchWebAuthFlow({
    url,
    interactive: false,
    // Chromium can limit a silent flow. Firefox refuses a flow with a member that it does not know.
    ...(browser.runtime.getBrowserInfo === undefined && { timeoutMsForNonInteractive: silentTimeoutMs }),
  });
  return withTimeout(launched.catch(throwSilentProblem), silentTimeoutMs, () => {
    throw new ProblemError('timed-out', words`The silent sign-in.`);
  });
}

/** The problem of a silent flow that cannot begin while a window is open. Its cause is an {@link UnsentError}. */
export function toUnsent(): ProblemError {
  return new ProblemError('timed-out', words`A sign-in window is open.`, { cause: new UnsentError() });
}

function throwSilentProblem(error: unknown): never {
  throw isOccupied(error) ? toUnsent() : toWindowProblem(error);
}
