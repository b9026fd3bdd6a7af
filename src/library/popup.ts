// The package's entry point for Latchkey's own popup: `latchkey/popup`.

import type { ComponentType } from 'react';
import type { FeatureProps } from '../feature/feature-props.ts';

export { FetchRefused, type RefusalReason } from '../bridge/fetch/errors.ts';
export type { FeatureProps };

export interface PopupOptions {
  /** Mounted while a user is signed in. */
  readonly feature: ComponentType<FeatureProps>;
}

/**
 * Shows Latchkey's popup in `container`: its screens and styles, in the browser's language, with the icon and the name of your
 * manifest. Call it once on a page that has nothing else in it. It sets the page's language, direction and title.
 */
export function mountPopup(container: Element, { feature }: PopupOptions): void {
  // Apart, so that a feature's tests can import the rest without a browser.
  void import('./mounted-popup.tsx').then(({ openMounted }) => openMounted(container, feature));
}
