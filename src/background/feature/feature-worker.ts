// Starts the feature's own part of the worker, and keeps its failures from the rest.

import { createReading, type KeepAlive } from '../../bridge/fetch/reading.ts';
import type { AuthorizedFetch } from '../../bridge/fetch/serve-fetch.ts';
import type { FeatureWorkerProps } from '../../feature/feature-props.ts';
import type { CurrentUser } from '../session/current-user.ts';

export type StartFeature = (props: FeatureWorkerProps) => void;

export interface FeatureWorkerParts {
  readonly start: () => Promise<void>;
  readonly currentUser: CurrentUser;
  readonly authorizedFetch: AuthorizedFetch;
  readonly keepAlive: KeepAlive;
}

/** Calls `startFeature` with its props. An error that it throws, then or in its listener, is printed on the console. */
export function startFeatureWorker(
  startFeature: StartFeature,
  { start, currentUser, authorizedFetch, keepAlive }: FeatureWorkerParts,
): void {
  const guard = (run: () => void) => {
    try {
      run();
    } catch (error) {
      // oxlint-disable-next-line no-console -- for the feature's developer; there is no caller to throw to
      console.error('The feature threw an error in startFeature:', error);
    }
  };
  const props: FeatureWorkerProps = {
    async fetch(input, init) {
      const response = authorizedFetch(new Request(input, init));
      keepAlive(response);
      return keepAliveWhileRead(await response, keepAlive);
    },
    onSession(listener) {
      currentUser.watch((person) => guard(() => listener(person)));
      // If it fails, the next caller tries again, and the listener is called then.
      start().catch(() => undefined);
    },
    onGrant: (listener) => currentUser.watchGrants((scope) => guard(() => listener(scope))),
  };
  guard(() => startFeature(props));
}

/**
 * The same response, whose body keeps the worker running from the first read to its end, as {@link createReading} says.
 * A body that is never read does not.
 */
function keepAliveWhileRead(response: Response, keepAlive: KeepAlive): Response {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  const reading = createReading(keepAlive);
  const read = async () => {
    reading.wait();
    try {
      const result = await reader.read();
      if (result.done) reading.end();
      else reading.rest();
      return result;
    } catch (error) {
      reading.end();
      throw error;
    }
  };
  const body = new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel(reason) {
        reading.end();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  const same = new Response(body, response);
  // The constructor of Response does not take these.
  for (const key of ['url', 'redirected', 'type'] as const) {
    Object.defineProperty(same, key, { value: response[key] });
  }
  return same;
}
