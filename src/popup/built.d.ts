// The popup's screen for a sign-in with a code; one that is never shown if no provider is used with a code.
declare module 'latchkey:code-screen' {
  export const toCodeScreen: import('./page.ts').Page['toCodeScreen'];
}
