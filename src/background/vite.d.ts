// The one thing that Vite tells the worker. vite/client would bring the DOM along.

interface ImportMetaEnv {
  /** Whether this is a development build. */
  readonly DEV: boolean;
}

interface ImportMeta {
  readonly env: ImportMetaEnv;
}
