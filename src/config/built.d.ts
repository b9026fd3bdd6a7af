// The configuration at run time. The build validates the file and generates this module from it.
declare module 'latchkey:config' {
  export const providers: readonly import('./provider.ts').Provider[];
  export const persistence: import('./provider.ts').Config['persistence'];
  export const autoSignIn: import('./provider.ts').Config['autoSignIn'];
  export const policyOrigins: import('./provider.ts').Config['policyOrigins'];
  export const support: import('./provider.ts').Config['support'];
  export const privacyUrl: import('./provider.ts').Config['privacyUrl'];
  export const popupHeader: import('./provider.ts').Config['popupHeader'];
  /** Whether any provider has a user API. The bundler drops the code behind a constant that is false. */
  export const usesUserApi: boolean;
  /** Whether a provider has APIs with tokens of their own. */
  export const usesApis: boolean;
  /** Whether a provider answers with the ID token itself. */
  export const usesIdTokenResponse: boolean;
  /** Whether a provider uses the loopback redirect URI in Firefox. */
  export const usesLoopbackRedirect: boolean;
  /** Whether a provider is configured for sign-ins with a code. */
  export const usesDeviceFlow: boolean;
}

// The icons of the providers, as data: URLs by the provider's id. The build reads their files and generates this module.
declare module 'latchkey:icons' {
  const icons: ReadonlyMap<string, string>;
  export default icons;
}
