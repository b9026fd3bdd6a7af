// The configuration at run time. The build validates the file and generates this module from it.
declare module 'latchkey:config' {
  export const providers: readonly import('./provider.ts').Provider[];
  export const persistence: import('./provider.ts').Config['persistence'];
  export const autoSignIn: import('./provider.ts').Config['autoSignIn'];
  export const rememberAccounts: import('./provider.ts').Config['rememberAccounts'];
  export const policyOrigins: import('./provider.ts').Config['policyOrigins'];
  export const support: import('./provider.ts').Config['support'];
  export const privacyUrl: import('./provider.ts').Config['privacyUrl'];
  export const popupHeader: import('./provider.ts').Config['popupHeader'];
  export const policies: import('./provider.ts').Config['policies'];
}

// The icons of the providers, as data: URLs by the provider's id. The build reads their files and generates this module.
declare module 'latchkey:icons' {
  const icons: ReadonlyMap<string, string>;
  export default icons;
}
