// Starts the feature's half in the worker with what it gets there. What goes wrong in it stays in it.

import type { AuthorizedFetch, KeepAlive } from '../../bridge/fetch/serve-fetch.ts';
import type { FeatureWorkerProps } from '../../feature/feature-props.ts';
import type { CurrentUser } from '../session/current-user.ts';

export type StartFeature = (props: FeatureWorkerProps) => void;

export interface FeatureWorkerParts {
  readonly start: () => Promise<void>;
  readonly currentUser: CurrentUser;
  readonly authorizedFetch: AuthorizedFetch;
  readonly keepAlive: KeepAlive;
}

/** Calls `startFeature`. A feature that throws, then or in its listener, is named on the console. */
export function startFeatureWorker(
  startFeature: StartFeature,
  { start, currentUser, authorizedFetch, keepAlive }: FeatureWorkerParts,
): void {
  const guard = (run: () => void) => {
    try {
      run();
    } catch (error) {
      // oxlint-disable-next-line no-console -- the developer's own fault, and nobody else is there to tell
      console.error('The feature failed in src/feature/worker.ts:', error);
    }
  };
  const props: FeatureWorkerProps = {
    async fetch(input, init) {
      const answer = authorizedFetch(new Request(input, init));
      keepAlive(answer);
      return keepAliveWhileRead(await answer, keepAlive);
    },
    onSession(listener) {
      currentUser.watch((person) => guard(() => listener(person)));
      // Where it fails, whoever asks next tries again, and the listener is told then.
      start().catch(() => undefined);
    },
  };
  guard(() => startFeature(props));
}

/**
 * The same answer, whose body keeps the worker running from its first read to its end. One that nobody reads does
 * not: it would for ever.
 */
function keepAliveWhileRead(answer: Response, keepAlive: KeepAlive): Response {
  if (answer.body === null) return answer;
  const reader = answer.body.getReader();
  let reads = 0;
  const body = new ReadableStream(
    {
      async pull(controller) {
        reads += 1;
        if (reads === 1) keepAlive(reader.closed);
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  const same = new Response(body, answer);
  // What no Response can be given that is made by hand.
  for (const key of ['url', 'redirected', 'type'] as const) {
    Object.defineProperty(same, key, { value: answer[key] });
  }
  return same;
}
