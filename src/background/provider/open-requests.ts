// The requests whose windows are open. A window that could not be closed outlives a cancel: a person may still finish there, and a
// later sign-in with the same request takes that answer.

import { withTimeout } from '../../concurrency/timeout.ts';
import type { AuthorizationOptions } from '../../oidc/authorize.ts';
import type { AuthWindow } from './auth-window.ts';
import type { ProviderAccess } from './provider-access.ts';

/** Redeems and verifies the URL that ends a flow. */
export type Finish<Result> = (responseUrl: string) => Promise<Result>;

interface Request<Result> {
  /** Its options, as text. */
  readonly options: string;
  readonly responseUrl: Promise<string>;
  readonly finish: Finish<Result>;
}

export function createOpenRequests<Result>({ whenFree }: Pick<AuthWindow, 'whenFree'>) {
  /** The last one of each provider. */
  const requests = new WeakMap<ProviderAccess, Request<Result>>();

  return {
    /** Keeps the request until its flow ends with `responseUrl`. */
    keep(
      access: ProviderAccess,
      options: AuthorizationOptions,
      responseUrl: Promise<string>,
      finish: Finish<Result>,
    ) {
      const request = { options: JSON.stringify(options), responseUrl, finish };
      requests.set(access, request);
      const forget = () => requests.get(access) === request && requests.delete(access);
      void responseUrl.then(forget, forget);
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
