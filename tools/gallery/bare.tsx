// The bare page: renders the face that the address names, as the popup's own page would. To show a different one without loading
// the page again, change the address and dispatch a `popstate` event.

import '../../src/popup/popup.css';
import languages from 'latchkey:languages';
import { StrictMode, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from '../../src/popup/App.tsx';
import { createText } from '../../src/popup/i18n/text.ts';
import { type Page, PageContext } from '../../src/popup/page.ts';
import { CodeScreen } from '../../src/popup/screens/SigningInByCode.tsx';
import { readAddress } from './address.ts';
import { icons, toFaces, toObserver, type Face } from './faces.ts';
import { features } from './features.tsx';
import { toLookUp } from '../../src/popup/i18n/messages-file.ts';
import picture from './person.svg?no-inline';

/** Renders the face into `container`. Throws an Error if there is none with its id. */
export function show(container: Element): void {
  const root = createRoot(container);

  const showFace = () => {
    const address = readAddress(location.search);
    const faces = toFaces(Date.now(), new URL(picture, location.href).href);
    const face = faces.find(({ id }) => id === address.face);
    if (face === undefined)
      throw new Error(`There is no face "${address.face}": see tools/gallery/faces.ts.`);

    // A language that has no such message shows the English one, as in a browser.
    const lookUp = toLookUp({ ...languages['en'], ...languages[address.language] });
    const text = createText(lookUp, undefined, face.product);
    const { documentElement: page } = document;
    page.lang = text.language;
    page.dir = lookUp('direction');
    page.style.colorScheme = address.theme === 'system' ? '' : address.theme;
    page.style.fontSize = address.text === 100 ? '' : `${address.text}%`;
    document.title = text('extensionName');

    const shown: Page = {
      text,
      header: face.header ?? 'full',
      mark: '/icons/latchkey.svg',
      icons,
      CodeScreen,
      createFeature: () => features[face.feature ?? 'empty'],
    };
    root.render(
      <StrictMode key={location.search}>
        <PageContext value={shown}>
          <App observer={toObserver(face)} openedAtMs={Date.now() - (face.openedMsAgo ?? 0)} />
        </PageContext>
        <Shown face={face} />
      </StrictMode>,
    );
  };

  addEventListener('popstate', showFace);
  showFace();
}

/** Stops the animations at `openedMsAgo`, then sets `data-face` on the page, which tests wait for. */
function Shown({ face: { id, openedMsAgo } }: { readonly face: Face }) {
  useEffect(() => {
    if (openedMsAgo !== undefined) {
      for (const animation of document.getAnimations()) {
        animation.pause();
        animation.currentTime = openedMsAgo;
      }
    }
    document.documentElement.dataset['face'] = id;
  }, [id, openedMsAgo]);
  return null;
}
