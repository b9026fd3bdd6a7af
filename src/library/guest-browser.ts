// The browser as the worker sees it in an extension that exists already: storage under keys of its own, commands over ports
// of their own, and a toolbar button that belongs to the extension.

import type { WorkerBrowser } from '../background/worker.ts';
import { withOwnKeys } from './own-keys.ts';
import { acceptPorts, type AcceptRuntime } from './own-ports.ts';

/** The browser of an extension. Without a toolbar button there is no `action`. */
export interface HostBrowser extends Omit<WorkerBrowser, 'action' | 'runtime'> {
  readonly runtime: Omit<WorkerBrowser['runtime'], 'onMessage'> & AcceptRuntime;
  readonly action?: {
    getPopup(details: object): Promise<string>;
    openPopup(): Promise<void>;
  };
}

/**
 * The same browser, in which the worker changes nothing of the toolbar button. It opens the extension's popup after a
 * sign-in, if there is one, because the sign-in window has closed it.
 */
export function toGuestBrowser(host: HostBrowser): WorkerBrowser {
  const { i18n, identity, windows, tabs, permissions, runtime, extension } = host;
  return {
    i18n,
    tabs,
    permissions,
    runtime: toGuestRuntime(runtime),
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

/** The same runtime, whose messages are the commands that come over ports. */
function toGuestRuntime(runtime: HostBrowser['runtime']): WorkerBrowser['runtime'] {
  // A browser may lack either, and the worker asks whether it does.
  const getContexts = runtime.getContexts?.bind(runtime);
  const getBrowserInfo = runtime.getBrowserInfo?.bind(runtime);
  return {
    id: runtime.id,
    getURL: (path) => runtime.getURL(path),
    sendMessage: (message) => runtime.sendMessage(message),
    getPlatformInfo: () => runtime.getPlatformInfo(),
    reload: () => runtime.reload(),
    ...(getContexts !== undefined && { getContexts }),
    ...(getBrowserInfo !== undefined && { getBrowserInfo }),
    onMessage: acceptPorts(runtime),
    onInstalled: runtime.onInstalled,
    onStartup: runtime.onStartup,
    onUpdateAvailable: runtime.onUpdateAvailable,
  };
}

function nothing(): Promise<void> {
  return Promise.resolve();
}
