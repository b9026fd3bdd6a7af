// Starts React in the popup of Latchkey's own extension.

import { createStartApp } from './create-start-app.tsx';

export const startApp = createStartApp(
  '/icons/latchkey.svg',
  async () => (await import('../feature/Feature.tsx')).default,
);
