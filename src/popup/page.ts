// The values that the page gives to all its components.

import { type ComponentType, createContext, useContext } from 'react';
import type { Config } from '../config/provider.ts';
import type { Profile, SigningIn } from '../session/view.ts';
import type { Actions } from './hooks/use-actions.ts';
import type { Text } from './i18n/text.ts';

/**
 * `full` shows the user next to the account menu's button. `compact` is one line: the product's name, and the user's picture
 * as that button.
 */
export type PopupHeader = Config['popupHeader'];

/** The feature as a component that needs only the user. */
export type MountedFeature = ComponentType<{ readonly user: Profile }>;

export interface Page {
  /** The texts in the user's language. */
  readonly text: Text;
  readonly header: PopupHeader;
  /** The extension's icon, as a URL. */
  readonly mark: string | undefined;
  /** The icons of the providers, as URLs by the provider's id. */
  readonly icons: ReadonlyMap<string, string>;
  /** The screen of a sign-in by the device flow; null in a build without that flow. */
  readonly CodeScreen: ComponentType<{ readonly session: SigningIn; readonly send: Actions['send'] }> | null;
  /** Creates the feature to mount. Each try needs a new one, because a lazy component never forgets that it couldn't be loaded. */
  readonly createFeature: () => MountedFeature;
}

/** Set it around everything that uses {@link usePage} or {@link useText}. */
export const PageContext = createContext<Page | null>(null);

export function usePage(): Page {
  // create-start-app.tsx sets it around the whole popup.
  return useContext(PageContext) as Page;
}

/** The texts in the user's language. */
export function useText(): Text {
  return usePage().text;
}
