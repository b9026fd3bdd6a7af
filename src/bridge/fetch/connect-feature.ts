// Connects a page's feature to the worker in the browser: its `fetch`, and the request for an additional scope.

import type { ProblemCode } from '../../session/problem.ts';
import { pageLine } from '../line/page-line.ts';
import { openFetch } from './open-fetch.ts';
import { requestScope } from '../session/request-scope.ts';
import type { SessionObserver } from '../session/observer.ts';

/** The parts of a feature's props that need the worker. */
export interface FeatureConnection {
  /**
   * The standard `fetch`, for the configured `apiOrigins`. The worker sends the request with the signed-in person's
   * access token. Responses are streamed and can be aborted. A refused request rejects with an error whose `name` is
   * `FetchRefused` and whose `reason` is one of the list in src/bridge/fetch/errors.ts.
   */
  readonly fetch: typeof fetch;
  /**
   * Asks the person for an additional scope, in the provider's window. Call it on a click, after the API has answered
   * 403 `insufficient_scope` (RFC 6750, section 3.1). The popup closes when the window opens, and opens again when it
   * closes, with the feature mounted again. A tab or a side panel stays open, and the promise resolves with `granted`
   * or with a problem code such as `cancelled`.
   */
  readonly requestScope: (scope: string) => Promise<'granted' | ProblemCode>;
}

/** Connects a feature to the worker. Sends nothing until the feature makes a request. */
export function connectFeature(observer: SessionObserver): FeatureConnection {
  return {
    fetch: openFetch(pageLine()),
    requestScope: (scope) => requestScope(observer, scope),
  };
}
