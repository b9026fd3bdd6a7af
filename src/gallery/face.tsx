// Renders the face named in the URL, as the popup's own page would. To show another one without reloading the page,
// change the URL and dispatch a `popstate` event.

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from '../popup/App.tsx';
import { FeatureContext } from '../popup/feature-context.ts';
import { createCodeText } from '../popup/i18n/code-text.ts';
import { createText } from '../popup/i18n/text.ts';
import { TextContext } from '../popup/i18n/use-text.ts';
import { createCodeScreen } from '../popup/screens/SigningInByCode.tsx';
import { readLook } from './address.ts';
import { toFaces } from './faces.ts';
import { features } from './features.tsx';
import { toLookUpIn } from './languages.ts';
import { FaceObserver } from './observer.ts';
import { Shown } from './Shown.tsx';
import picture from './person.svg?no-inline';

const container = document.querySelector('#popup');
if (container === null) throw new Error('The face page has no element #popup to render into: see face.html.');
const root = createRoot(container);

addEventListener('popstate', show);
show();

function show(): void {
  const parameters = new URLSearchParams(location.search);
  const id = parameters.get('face');
  const look = readLook(parameters);
  const faces = toFaces(Date.now(), new URL(picture, location.href).href);
  const face = faces.find((known) => known.id === id);
  if (face === undefined) throw new Error(`There is no face "${id}": the ids are in src/gallery/faces.ts.`);

  const lookUp = toLookUpIn(look.language);
  const text = createText(lookUp);
  const { documentElement: page } = document;
  page.lang = lookUp('language');
  page.dir = look.direction === 'language' ? lookUp('direction') : look.direction;
  page.style.colorScheme = look.theme === 'system' ? '' : look.theme;
  page.style.fontSize = look.text === 100 ? '' : `${look.text}%`;
  document.title = text.product;

  const observer = new FaceObserver(face.view, face.refusal);
  root.render(
    <StrictMode key={location.search}>
      <TextContext value={text}>
        <FeatureContext value={() => features[face.feature ?? 'empty']}>
          <App
            observer={observer}
            openedAtMs={Date.now() - (face.openedMsAgo ?? 0)}
            toCodeScreen={createCodeScreen(createCodeText(lookUp))}
          />
        </FeatureContext>
      </TextContext>
      <Shown face={face} />
    </StrictMode>,
  );
}
