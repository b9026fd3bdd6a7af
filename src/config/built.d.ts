// The configuration that the build has read and put in: see `readConfig`.
declare module 'latchkey:config' {
  export const providers: readonly import('./provider.ts').Provider[];
  export const persistence: import('./provider.ts').Config['persistence'];
}
