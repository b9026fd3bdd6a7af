// The smallest worker: it answers a message and does nothing else.

interface Runtime {
  readonly onMessage: { addListener(listener: (message: unknown) => Promise<string>): void };
}

const { browser } = globalThis as unknown as { readonly browser: { readonly runtime: Runtime } };
browser.runtime.onMessage.addListener(() => Promise.resolve('awake'));
