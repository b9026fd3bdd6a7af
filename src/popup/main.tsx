// The popup's entry point. Starts reading the board first, then renders the popup in the person's language.

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { locale, lookUp } from './i18n/locale.ts';
import { observeSession } from '../bridge/session/observer.ts';
import { App } from './App.tsx';
import { FeatureContext } from './feature-context.ts';
import { createText } from './i18n/text.ts';
import { TextContext } from './i18n/use-text.ts';
import { createLazyFeature } from './lazy-feature.ts';

const observer = observeSession();

const createFeature = createLazyFeature(
  async () => {
    const { toConnectedFeature } = await import('./connected-feature.tsx');
    return toConnectedFeature(observer);
  },
  () => location.reload(),
);

const { language, direction } = locale();
const text = createText(lookUp, language);
document.documentElement.lang = language;
document.documentElement.dir = direction;
document.title = text.product;

const container = document.querySelector('#popup');
if (container === null)
  throw new Error('The popup page has no element #popup to render into: see index.html.');

createRoot(container).render(
  <StrictMode>
    <TextContext value={text}>
      <FeatureContext value={createFeature}>
        <App observer={observer} />
      </FeatureContext>
    </TextContext>
  </StrictMode>,
);
