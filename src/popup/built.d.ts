// The popup's screen for a sign-in with a code; null if no provider is used with a code.
declare module 'latchkey:code-screen' {
  export const CodeScreen: import('./page.ts').Page['CodeScreen'];
}
