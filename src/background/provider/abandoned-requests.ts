// The requests of cancelled sign-ins whose windows could not be closed. A person may still finish there, and a later sign-in with
// the same request takes that answer.

import { withTimeout } from '../../concurrency/timeout.ts';
import type { AuthorizationOptions } from '../../oidc/authorize.ts';
import { ProblemError } from '../../session/problem.ts';
import { AbandonedFlow, type AuthWindow } from './auth-window.ts';
import type { ProviderAccess } from './provider-access.ts';

/** Redeems and verifies the URL that ends a flow. */
type Finish<Result> = (responseUrl: string) => Promise<Result>;

interface Request<Result> extends AbandonedFlow {
  /** Its options, as text. */
  readonly options: string;
  readonly finish: Finish<Result>;
}

export function createAbandonedRequests<Result>({ whenFree }: Pick<AuthWindow, 'whenFree'>) {
  /** The last one of each provider. */
  const requests = new WeakMap<ProviderAccess, Request<Result>>();

  return {
    /** Keeps the request if `error` says that its flow was cancelled, until that flow ends. */
    keep(access: ProviderAccess, options: AuthorizationOptions, error: unknown, finish: Finish<Result>) {
      const flow = error instanceof ProblemError && error.cause;
      if (!(flow instanceof AbandonedFlow)) return;
      const request = { ...flow, options: JSON.stringify(options), finish };
      requests.set(access, request);
      const forget = () => requests.get(access) === request && requests.delete(access);
      void flow.responseUrl.then(forget, forget);
    },

    /** The result of the same request, if the person finishes it while the next window waits for the former one; else null. */
    async take(
      access: ProviderAccess,
      options: AuthorizationOptions,
      isWanted: () => boolean,
    ): Promise<Result | null> {
      const request = requests.get(access);
      requests.delete(access);
      if (request?.options !== JSON.stringify(options)) return null;
      await whenFree();
      const responseUrl = await withTimeout(request.responseUrl, 0, () => null).catch(() => null);
      return responseUrl !== null && isWanted() ? request.finish(responseUrl) : null;
    },
  };
}
