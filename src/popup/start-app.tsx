// Starts React in the popup, in the person's language, with the board if it has been read by now.

import { usesDeviceFlow } from 'latchkey:config';
import icons from 'latchkey:icons';
import { StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { observeSession } from '../bridge/session/observer.ts';
import { nextPaint, wellAfterPaint } from './after-paint.ts';
import { App } from './App.tsx';
import { ProviderIcons } from './components/ProviderTile.tsx';
import { FeatureContext } from './feature-context.ts';
import { firstRead } from './early-reads.ts';
import type { Text } from './i18n/text.ts';
import { TextContext } from './i18n/use-text.ts';
import { createLazyFeature } from './lazy-feature.ts';
import { toCodeScreen } from './screens/SigningInByCode.tsx';

/** Starts React in `container`. With `hasFace` it takes over the face that is there, which shows the newest board. */
export function startApp(container: Element, text: Text, hasFace: boolean): void {
  const observer = observeSession({ firstRead, afterPaint: wellAfterPaint });
  const createFeature = createLazyFeature(
    async () => {
      // The feature's code may be large, and the rest of the popup need not wait for it.
      if (!hasFace) await nextPaint();
      const { toConnectedFeature } = await import('./connected-feature.tsx');
      return toConnectedFeature(observer);
    },
    () => location.reload(),
  );
  const app = (
    <StrictMode>
      <TextContext value={text}>
        <FeatureContext value={createFeature}>
          <ProviderIcons value={icons}>
            <App observer={observer} toCodeScreen={usesDeviceFlow ? toCodeScreen : null} />
          </ProviderIcons>
        </FeatureContext>
      </TextContext>
    </StrictMode>
  );
  if (hasFace) hydrateRoot(container, app);
  // In this task, so that nothing comes before the paint.
  else flushSync(() => createRoot(container).render(app));
}
