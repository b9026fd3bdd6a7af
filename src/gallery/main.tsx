// The gallery's entry point.

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Gallery } from './Gallery.tsx';

const container = document.querySelector('#gallery');
if (container === null)
  throw new Error('The gallery page has no element #gallery to render into: see index.html.');

createRoot(container).render(
  <StrictMode>
    <Gallery />
  </StrictMode>,
);
