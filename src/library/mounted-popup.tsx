// Latchkey's popup on a page of another extension: with that extension's icon and name, and with messages of its own, because
// `_locales` belongs to the extension.

import '../popup/popup.css';
import { popupHeader } from 'latchkey:config';
import type { ComponentType } from 'react';
import { browser } from '../bridge/browser.ts';
import { watchBoard } from '../bridge/session/page-board.ts';
import type { FeatureProps } from '../feature/feature-props.ts';
import { createStartApp } from '../popup/create-start-app.tsx';
import { type MessagesFile, toLookUp } from '../popup/i18n/messages-file.ts';
import { toPageText } from '../popup/i18n/page-text.ts';
import { openPopup } from '../popup/open-popup.tsx';
import { findOwnArea } from './own-area.ts';

const languages = import.meta.glob<MessagesFile>('../public/_locales/*/messages.json', { import: 'default' });

/** Opens the popup in `container`. Rejects if a file of the extension can't be loaded. */
export async function openMounted(container: Element, feature: ComponentType<FeatureProps>): Promise<void> {
  const board = watchBoard(findOwnArea());
  const { name, icons } = browser.runtime.getManifest();
  const language = browser.i18n.getUILanguage();
  const look = toLookUp(await loadMessages(language));
  const ofExtension: Readonly<Record<string, string>> = { extensionName: name, '@@ui_locale': language };
  const text = toPageText((key, names) => ofExtension[key] ?? look(key, names));
  // Their keys are sizes, which an object has in their order. Without icons, Firefox has null here.
  const mark = Object.values(icons ?? {}).at(-1);
  const startApp = createStartApp(mark && browser.runtime.getURL(mark), async () => feature);
  await openPopup(container, text, popupHeader, board, async () => startApp);
}

/** The messages that browsers would find in `_locales`: in the language with its region, in the language, or in English. */
async function loadMessages(language: string): Promise<MessagesFile> {
  const [base = ''] = language.split('-');
  const load = [language.replaceAll('-', '_'), base, 'en']
    .map((name) => languages[`../public/_locales/${name}/messages.json`])
    .find((each) => each !== undefined);
  return (await load?.()) ?? {};
}
