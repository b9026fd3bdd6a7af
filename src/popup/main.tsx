// The popup's entry: begins to read the board before anything else, then renders it.

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { observeSession } from '../bridge/session.ts';
import { App } from './App.tsx';

const observer = observeSession();

const container = document.querySelector('#popup');
if (container === null)
  throw new Error('The popup page has no element #popup to render into: see index.html.');

createRoot(container).render(
  <StrictMode>
    <App observer={observer} />
  </StrictMode>,
);
