// The configuration at run time. The build validates the file and generates this module from it.
declare module 'latchkey:config' {
  export const providers: readonly import('./provider.ts').Provider[];
  export const persistence: import('./provider.ts').Config['persistence'];
  export const policyOrigins: import('./provider.ts').Config['policyOrigins'];
}
