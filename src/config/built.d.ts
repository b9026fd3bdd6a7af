// The configuration at run time. The build validates the file and generates this module from it.
declare module 'latchkey:config' {
  export const providers: readonly import('./provider.ts').Provider[];
  export const persistence: import('./provider.ts').Config['persistence'];
  /** Whether a provider is configured for sign-ins with a code. Code behind a false one is not in the build. */
  export const usesDeviceFlow: boolean;
}
