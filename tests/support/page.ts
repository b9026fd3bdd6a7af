// The values that the popup's page gives to its components in tests.

import type { Page } from '../../src/popup/page.ts';
import { CodeScreen } from '../../src/popup/screens/SigningInByCode.tsx';
import { english } from './english.ts';

/** A page in English, without icons or a feature. */
export function toPage(changes: Partial<Page> = {}): Page {
  return {
    text: english,
    header: 'full',
    mark: '/icons/latchkey.svg',
    icons: new Map(),
    CodeScreen,
    createFeature: () => () => null,
    ...changes,
  };
}
