// The gallery's entry point. Each of the page's two forms has styles of its own.

const container = document.querySelector('#popup');
if (container === null) throw new Error('The gallery has no element #popup to render into: see index.html.');

const isBare = new URLSearchParams(location.search).has('theme');
void (isBare ? import('./bare.tsx') : import('./bar.ts')).then(({ show }) => show(container));
