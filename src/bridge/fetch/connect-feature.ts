// What a page needs for its feature, in the real browser: the fetch that the worker answers, and the way to ask the
// person for more.

import type { ProblemCode } from '../../session/problem.ts';
import { browser } from '../browser.ts';
import { fetchPortName } from './protocol.ts';
import { openFetch } from './open-fetch.ts';
import { requestScope } from '../session/request-scope.ts';
import type { SessionObserver } from '../session/observer.ts';

export interface FeatureConnection {
  /**
   * The platform's `fetch` for the configured `apiOrigins`, with the token of whoever is signed in attached by the
   * worker. Answers are streamed and can be aborted. What it refuses is an error whose `name` is `FetchRefused` and
   * whose `reason` says why: src/bridge/fetch/errors.ts has the list.
   */
  readonly fetch: typeof fetch;
  /**
   * Asks the person to allow more than the configured scope, in the provider's window. To be called on a click,
   * when the API has answered 403 `insufficient_scope`. The popup closes behind the window and comes back when it is
   * done, with the feature begun anew; a tab or a side panel stays, and is told what came of it: `granted`, or a
   * problem's code, such as `cancelled`.
   */
  readonly requestScope: (scope: string) => Promise<'granted' | ProblemCode>;
}

/** Connects a page to the worker. Nothing is sent before the feature asks for something. */
export function connectFeature(observer: SessionObserver): FeatureConnection {
  return {
    fetch: openFetch(() => browser.runtime.connect({ name: fetchPortName })),
    requestScope: (scope) => requestScope(observer, scope),
  };
}
