// Connects a page's feature to the worker in the browser: its `fetch`, and what it may ask of the user.

import { pageLine } from '../line/page-line.ts';
import { openFetch } from './open-fetch.ts';
import { answerChallenge, requestScope, type Granted } from '../session/request-scope.ts';
import type { SessionObserver } from '../session/observer.ts';

/** The parts of a feature's props that need the worker. */
export interface FeatureConnection {
  /**
   * The standard `fetch`, for the configured `apiOrigins` and `apis`. The worker sends the request with the signed-in user's
   * access token for that API. Responses are streamed and can be aborted. A refused request rejects with an error whose `name`
   * is `FetchRefused` and whose `reason` is one of the list in src/bridge/fetch/protocol.ts.
   */
  readonly fetch: typeof fetch;
  /**
   * Asks the user for an additional scope, in the provider's window. Call it on a click, after the API has responded
   * 403 `insufficient_scope` (RFC 6750, section 3.1). Pass that response, or the scope, plus a URL of the API if
   * the API has a token of its own. The popup closes when the window opens. It opens again when the window closes, with the
   * feature mounted again. A tab or a side panel stays open, and the promise resolves with `granted` or with a problem code such
   * as `cancelled`.
   */
  readonly requestScope: (scope: string | Response, api?: string) => Promise<Granted>;
  /**
   * Asks the user to confirm who they are, in the same way. Call it on a click, with a response of 401
   * `insufficient_user_authentication` (RFC 9470). After `granted`, send the request again.
   */
  readonly requestStepUp: (response: Response) => Promise<Granted>;
}

/** Connects a feature to the worker. Sends nothing until the feature makes a request. */
export function connectFeature(observer: SessionObserver): FeatureConnection {
  return {
    fetch: openFetch(pageLine()),
    requestScope: (scope, api) =>
      typeof scope === 'string'
        ? requestScope(observer, scope, api)
        : answerChallenge(observer, scope, 'insufficient_scope'),
    requestStepUp: (response) => answerChallenge(observer, response, 'insufficient_user_authentication'),
  };
}
