// The browser as Latchkey's worker sees it in another extension: storage under keys of its own, and a toolbar button that
// belongs to the extension.

import type { WorkerBrowser } from '../background/worker.ts';
import { withOwnKeys } from './own-keys.ts';

/** The browser of an extension. Without a toolbar button there is no `action`. */
export interface HostBrowser extends Omit<WorkerBrowser, 'action'> {
  readonly action?: {
    getPopup(details: object): Promise<string>;
    openPopup(): Promise<void>;
  };
}

/**
 * The same browser, but the worker leaves the toolbar button alone. If the extension has a popup, the worker opens it after a
 * sign-in, because the sign-in window has closed it.
 */
export function toGuestBrowser(host: HostBrowser): WorkerBrowser {
  const { i18n, identity, windows, tabs, permissions, runtime, extension } = host;
  return {
    i18n,
    tabs,
    permissions,
    runtime,
    ...(identity !== undefined && { identity }),
    ...(windows !== undefined && { windows }),
    ...(extension !== undefined && { extension }),
    storage: { local: withOwnKeys(host.storage.local), session: withOwnKeys(host.storage.session) },
    action: {
      setIcon: nothing,
      setTitle: nothing,
      setBadgeText: nothing,
      setBadgeBackgroundColor: nothing,
      async openPopup() {
        if (host.action !== undefined && (await host.action.getPopup({})) !== '')
          await host.action.openPopup();
      },
    },
  };
}

function nothing(): Promise<void> {
  return Promise.resolve();
}
