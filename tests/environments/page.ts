// Checked as a part of the popup, by src/tsconfig.pages.json: a page has nothing of Node, and nothing of a worker.

// @ts-expect-error: the built extension runs without Node.
export type Process = typeof process;

// @ts-expect-error: Node's modules are not bundled.
export type Files = typeof import('node:fs');

// @ts-expect-error: only a service worker has this scope.
export type Scope = ServiceWorkerGlobalScope;

/** Compiles, because a page has these. */
export type Page = [typeof fetch, typeof document, typeof window, typeof localStorage];
