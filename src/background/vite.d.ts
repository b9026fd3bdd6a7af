// The only part of Vite's types that the worker needs. vite/client would bring the DOM along.

interface ImportMetaEnv {
  /** Whether this is a development build. */
  readonly DEV: boolean;
}

interface ImportMeta {
  readonly env: ImportMetaEnv;
}
