// A deadline for each call of the extension API. Without one, a call that the browser never answers would hang whatever waits
// for it, and keep the worker awake.

import { withTimeout } from '../concurrency.ts';

/** How long the browser may take. Less than half as long as a page waits for the reply to a command. */
export const deadlineMs = 4_000;

/** This one waits for the user. The flows have limits of their own. */
const unlimited = 'launchWebAuthFlow';

/**
 * The same part of the browser, where each call rejects if it isn't answered in time. The call itself goes on, so a write
 * may still be done.
 */
export function withDeadlines<T extends object>(part: T): T {
  const made = new Map<PropertyKey, object>();

  const toCaller =
    (name: PropertyKey) =>
    (...args: unknown[]): unknown => {
      const result: unknown = Reflect.apply(Reflect.get(part, name) as () => unknown, part, args);
      if (!(result instanceof Promise) || name === unlimited) return result;
      return withTimeout(result, deadlineMs, () => {
        throw new Error(`The browser has not answered in time: ${String(name)}.`);
      });
    };

  // Parts are asked for at their first use, because that takes the browser time.
  return new Proxy({} as T, {
    has: (_target, name) => name in part,
    get(_target, name) {
      const known = made.get(name);
      if (known !== undefined) return known;
      const value: unknown = Reflect.get(part, name);
      const isPart = typeof value === 'object' && value !== null;
      // An event calls us.
      if (isPart ? 'addListener' in value : typeof value !== 'function') return value;
      const next = isPart ? withDeadlines(value) : toCaller(name);
      made.set(name, next);
      return next;
    },
  });
}
