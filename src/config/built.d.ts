// The configuration at run time. The build validates the file and generates this module from it.
declare module 'latchkey:config' {
  export const providers: readonly import('./provider.ts').Provider[];
  export const persistence: import('./provider.ts').Config['persistence'];
  /** Whether any provider has a user API. */
  export const usesUserApi: boolean;
}
