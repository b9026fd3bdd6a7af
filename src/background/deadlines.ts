// A deadline for each call of the extension API. Without one, a call that the browser never answers would hang whatever waits
// for it, and keep the worker awake.

import { withTimeout } from '../concurrency/timeout.ts';

/** How long the browser may take. Less than half as long as a page waits for the reply to a command. */
export const deadlineMs = 4_000;

/** This one waits for the person. The flows have limits of their own. */
const unlimited = 'launchWebAuthFlow';

/**
 * The same part of the browser, where each call rejects if it isn't answered in time. The call itself goes on, so a write
 * may still be done.
 */
export function withDeadlines<T extends object>(part: T): T {
  const callers = new Map<PropertyKey, unknown>();
  const parts = new WeakMap<object, object>();

  const toCaller = (name: PropertyKey) => {
    const call = (...args: unknown[]): unknown => {
      const result: unknown = Reflect.apply(Reflect.get(part, name) as () => unknown, part, args);
      if (!(result instanceof Promise) || name === unlimited) return result;
      return withTimeout(result, deadlineMs, () => {
        throw new Error(`The browser has not answered in time: ${String(name)}.`);
      });
    };
    callers.set(name, call);
    return call;
  };
  const toPart = (value: object) => {
    const made = withDeadlines(value);
    parts.set(value, made);
    return made;
  };

  // Parts are asked for at their first use, because that takes the browser time.
  return new Proxy({} as T, {
    has: (_target, name) => name in part,
    get(_target, name) {
      const value: unknown = Reflect.get(part, name);
      if (typeof value === 'function') return callers.get(name) ?? toCaller(name);
      // An event calls us.
      if (typeof value !== 'object' || value === null || 'addListener' in value) return value;
      return parts.get(value) ?? toPart(value);
    },
  });
}
