// Checks that a message or a port comes from a page of this extension.

/** The parts of a sender that the browser fills in, and a page cannot forge. */
export interface Sender {
  readonly id?: string | undefined;
  readonly url?: string | undefined;
  readonly origin?: string | undefined;
}

/** The part of `browser.runtime` that identifies this extension. */
export interface OwnRuntime {
  readonly id: string;
  getURL(path: string): string;
}

/**
 * Whether the sender is a page of this extension. Its id alone does not prove that, because content scripts carry
 * the same id; so the URL is checked too, and the origin if the browser sends one.
 */
export function isOwnPage(runtime: OwnRuntime, { id, url, origin }: Sender): boolean {
  const ownPages = runtime.getURL('');
  return (
    id === runtime.id &&
    url !== undefined &&
    url.startsWith(ownPages) &&
    // Compared as text: `new URL(…).origin` of an extension page may be opaque, which is "null" for every extension.
    (origin === undefined || `${origin}/` === ownPages)
  );
}
