// The gallery's entry point. The two forms of the page have styles of their own.

import { isBare } from './address.ts';

const container = document.querySelector('#popup');
if (container === null) throw new Error('The gallery has no element #popup to render into: see index.html.');

if (isBare(location.search)) {
  const { showFace } = await import('./bare.tsx');
  showFace(container);
} else {
  const { showGallery } = await import('./Gallery.tsx');
  showGallery(container);
}
