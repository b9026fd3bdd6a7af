// Checked as a part of the worker, by src/tsconfig.worker.json: the worker has no document, and nothing of Node.

// @ts-expect-error: a service worker has no document.
export type Document = typeof document;

// @ts-expect-error: nor a window.
export type Window = typeof window;

// @ts-expect-error: the built extension runs without Node.
export type Process = typeof process;

// @ts-expect-error: Node's modules are not bundled.
export type Files = typeof import('node:fs');

/** Compiles, because the worker has these. */
export type Worker = [typeof fetch, typeof crypto, typeof indexedDB, ServiceWorkerGlobalScope];
