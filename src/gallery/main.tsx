// The gallery's entry. What is looked at stands in the address, so that it can be sent to somebody.

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Gallery } from './Gallery.tsx';

const container = document.querySelector('#gallery');
if (container === null) throw new Error('The gallery’s page has no element #gallery: see index.html.');

createRoot(container).render(
  <StrictMode>
    <Gallery />
  </StrictMode>,
);
