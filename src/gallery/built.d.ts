// What vite.config.ts makes of public/_locales.

declare module 'latchkey:languages' {
  /** The files of messages by the names of their folders. */
  const files: Readonly<Record<string, import('./messages-file.ts').MessagesFile>>;
  export default files;
}
