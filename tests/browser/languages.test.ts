// The extension in a browser with another language: its name and description, its toolbar button and its popup.

import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { toLookUp, type MessagesFile } from '../../src/popup/i18n/messages-file.ts';
import { createText } from '../../src/popup/i18n/text.ts';
import { ofThisBrowser } from '../support/browser/share.ts';
import { popupWith, setUpExtension } from '../support/browser/setup.ts';
import { isLong } from '../support/extent.ts';
import type { ExtensionGlobal } from '../support/browser/extension-global.ts';

const folder = resolve(import.meta.dirname, '../../src/public/_locales');

/** `npm test` opens one in each browser: one from right to left, and one of a country. The long run opens all in both. */
const languages = isLong
  ? readdirSync(folder).filter((language) => language !== 'en')
  : ofThisBrowser(['ar', 'pt_BR']);

test.each(languages)('a browser in %s shows the whole extension in that language', async (language) => {
  const file = resolve(folder, language, 'messages.json');
  const lookUp = toLookUp(JSON.parse(readFileSync(file, 'utf8')) as MessagesFile);
  const text = createText(lookUp);
  const extension = await setUpExtension({ language });

  const popup = await popupWith(extension, 'signed-out');
  const page = await popup.evaluate(() => {
    const { lang, dir } = document.documentElement;
    const buttons = [...document.querySelectorAll('button')].map((button) => button.textContent);
    return {
      lang,
      dir,
      title: document.title,
      sentence: document.querySelector('#sentence')?.textContent,
      buttons,
    };
  });
  expect(page).toEqual({
    lang: lookUp('language'),
    dir: lookUp('direction'),
    title: text('extensionName'),
    sentence: text('signedOut_invitation', 'Demo provider'),
    buttons: [
      expect.stringContaining(text('signedOut_continueWith', 'Demo provider')),
      text('signedOut_anotherAccount'),
    ],
  });

  const readManifest = () =>
    extension.browser.evaluateInExtension(async () => {
      const { action, runtime } = (globalThis as unknown as ExtensionGlobal).chrome;
      const { name, description } = runtime.getManifest();
      return { name, description, title: await action.getTitle({}) };
    });
  // The worker sets the button's title some time after it has started.
  await expect.poll(readManifest).toEqual({
    name: text('extensionName'),
    description: lookUp('extensionDescription'),
    title: lookUp('toolbarSignedOut', [text('extensionName')]),
  });
});
