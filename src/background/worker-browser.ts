// The parts of the browser and of the worker's global scope that the worker uses.

import type { LineScope } from '../bridge/line/serve-lines.ts';
import type { BoardArea } from '../bridge/session/board.ts';
import type { ManagedBrowser } from './policy/policy.ts';
import type { AuthWindow, AuthWindowBrowser } from './provider/window.ts';
import type { ManyItemsArea } from './storage.ts';
import type { ReopenPopupBrowser, ToolbarBrowser } from './toolbar.ts';

interface Event<Listener> {
  addListener(listener: Listener): void;
}

/** The parts of the browser that the worker uses. Firefox for Android has no `windows`, and no `identity`. */
export interface WorkerBrowser extends ReopenPopupBrowser {
  readonly management?: NonNullable<ManagedBrowser['management']>;
  readonly action: ReopenPopupBrowser['action'] & ToolbarBrowser['action'];
  readonly i18n: ToolbarBrowser['i18n'];
  readonly identity?: NonNullable<AuthWindowBrowser['identity']> & { getRedirectURL(path: string): string };
  readonly windows?: NonNullable<AuthWindowBrowser['windows']> & {
    readonly onCreated: Event<AuthWindow['onWindowCreated']>;
    readonly onRemoved: Event<AuthWindow['onWindowRemoved']>;
  };
  readonly tabs: AuthWindowBrowser['tabs'];
  readonly permissions: { readonly onAdded: Event<() => void> };
  readonly storage: {
    readonly local: BoardArea & ManyItemsArea;
    readonly session: BoardArea & ManyItemsArea;
    readonly managed?: NonNullable<ManagedBrowser['storage']['managed']>;
  };
  readonly runtime: ReopenPopupBrowser['runtime'] &
    AuthWindowBrowser['runtime'] & {
      getURL(path: string): string;
      readonly onInstalled: Event<(details: { readonly reason: string }) => void>;
      readonly onStartup: Event<() => void>;
      readonly onUpdateAvailable: Event<() => void>;
      getPlatformInfo(): Promise<unknown>;
      reload(): void;
    };
}

/** The parts of the worker's global scope that are used: the pages' lines arrive there. */
export type WorkerScope = LineScope;
