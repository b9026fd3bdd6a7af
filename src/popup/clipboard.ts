// Copies texts. A page can't ask what the clipboard holds, so it forgets what it copied when that may have changed.

export type CopyResult = 'copied' | 'failed';

const listeners = new Set<() => void>();

/** Copies the text that `read` returns. Never rejects. */
export async function copyText(read: () => string | Promise<string>): Promise<CopyResult> {
  try {
    const text = await read();
    for (const listener of listeners) listener();
    await navigator.clipboard.writeText(text);
    return 'copied';
  } catch {
    // Usually because the page has lost the focus. The user can try again; the reason wouldn't help them.
    return 'failed';
  }
}

/**
 * Calls `listener` whenever the clipboard may hold something else: when this page copies another text, and when the
 * user comes back from another window. Returns a function that unsubscribes.
 */
export function onClipboardChange(listener: () => void): () => void {
  listeners.add(listener);
  for (const type of pageEvents) document.addEventListener(type, listener);
  window.addEventListener('focus', listener);
  return () => {
    listeners.delete(listener);
    for (const type of pageEvents) document.removeEventListener(type, listener);
    window.removeEventListener('focus', listener);
  };
}

const pageEvents = ['copy', 'cut'] as const;
