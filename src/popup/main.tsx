// The popup's entry point. Renders the popup in the person's language, with the board if it has been read by now.

import { usesDeviceFlow } from 'latchkey:config';
import { StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { lookUp } from './i18n/locale.ts';
import { observeSession } from '../bridge/session/observer.ts';
import { afterPaintOrClose, nextPaint } from './after-paint.ts';
import { App } from './App.tsx';
import { FeatureContext } from './feature-context.ts';
import { direction, firstRead, language } from './first-read.ts';
import { createCodeText } from './i18n/code-text.ts';
import { createText } from './i18n/text.ts';
import { TextContext } from './i18n/use-text.ts';
import { createLazyFeature } from './lazy-feature.ts';
import { createCodeScreen } from './screens/SigningInByCode.tsx';

const observer = observeSession({ firstRead, afterPaint: afterPaintOrClose });

const createFeature = createLazyFeature(
  async () => {
    // The feature's code may be large, and the rest of the popup need not wait for it.
    await nextPaint();
    const { toConnectedFeature } = await import('./connected-feature.tsx');
    return toConnectedFeature(observer);
  },
  () => location.reload(),
);

const text = createText(lookUp, language);
const toCodeScreen = usesDeviceFlow ? createCodeScreen(createCodeText(lookUp, language)) : null;
document.documentElement.lang = language;
document.documentElement.dir = direction;
document.title = text.product;

const container = document.querySelector('#popup');
if (container === null) throw new Error('The page has no element #popup: see index.html.');

const root = createRoot(container);
// In this task, so that nothing comes before the paint.
flushSync(() =>
  root.render(
    <StrictMode>
      <TextContext value={text}>
        <FeatureContext value={createFeature}>
          <App observer={observer} toCodeScreen={toCodeScreen} />
        </FeatureContext>
      </TextContext>
    </StrictMode>,
  ),
);
