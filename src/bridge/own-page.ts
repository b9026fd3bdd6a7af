// Who sent a message or opened a port: a page of this extension, or somebody else.

/** The part of a sender that the browser itself vouches for. */
export interface Sender {
  readonly id?: string | undefined;
  readonly url?: string | undefined;
  readonly origin?: string | undefined;
}

/** What of `browser.runtime` says who we are. */
export interface OwnRuntime {
  readonly id: string;
  getURL(path: string): string;
}

/** Content scripts carry our id too, so the id alone is not enough: the page must be ours. */
export function isOwnPage(runtime: OwnRuntime, { id, url, origin }: Sender): boolean {
  const ownPages = runtime.getURL('');
  return (
    id === runtime.id &&
    url !== undefined &&
    url.startsWith(ownPages) &&
    // Not every browser gives an origin. Not compared as URLs: their origin may be opaque, and the same for all.
    (origin === undefined || `${origin}/` === ownPages)
  );
}
