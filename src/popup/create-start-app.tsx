// Starts React in the popup, in the user's language, with the board if it has been read by now.

import { CodeScreen } from 'latchkey:code-screen';
import { popupHeader } from 'latchkey:config';
import icons from 'latchkey:icons';
import { type ComponentType, StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { observeSession } from '../bridge/session/observer.ts';
import type { FeatureProps } from '../feature/feature-props.ts';
import { nextPaint, wellAfterPaint } from './after-paint.ts';
import { App } from './App.tsx';
import { createLazyFeature } from './components/FeatureArea.tsx';
import type { StartApp } from './open-popup.tsx';
import { type Page, PageContext } from './page.ts';

/** `loadFeature` is called again after it has rejected. */
export function createStartApp(
  mark: Page['mark'],
  loadFeature: () => Promise<ComponentType<FeatureProps>>,
): StartApp {
  return (container, text, board, hasFace) => {
    const observer = observeSession({ board, afterPaint: wellAfterPaint });
    const page: Page = {
      text,
      header: popupHeader,
      mark,
      icons,
      CodeScreen,
      createFeature: createLazyFeature(
        async () => {
          // The feature's code may be large, and the rest of the popup need not wait for it.
          if (!hasFace) await nextPaint();
          const connecting = import('../bridge/fetch/connect-feature.ts');
          const [Feature, { connectFeature }] = await Promise.all([loadFeature(), connecting]);
          const connection = connectFeature(observer);
          return ({ user }) => <Feature user={user} {...connection} />;
        },
        () => location.reload(),
      ),
    };
    const app = (
      <StrictMode>
        <PageContext value={page}>
          <App observer={observer} />
        </PageContext>
      </StrictMode>
    );
    if (hasFace) hydrateRoot(container, app);
    // In this task, so that nothing comes before the paint.
    else flushSync(() => createRoot(container).render(app));
  };
}
