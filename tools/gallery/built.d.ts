// The module that tools/build/plugins.ts generates from public/_locales.

declare module 'latchkey:languages' {
  /** The messages files by the names of their folders. */
  const files: Readonly<Record<string, import('../../src/popup/i18n/messages-file.ts').MessagesFile>>;
  export default files;
}
