// The page with the bar: shows a face in both themes, each in a frame as wide as the popup. Its address can be shared.

import './gallery.css';
import languages from 'latchkey:languages';
import { readAddress, toBareQuery } from './address.ts';
import { toFaces } from './faces.ts';

export function show(container: Element): void {
  const address = readAddress(location.search);
  const bar = document.createElement('form');
  const frames = document.createElement('div');
  frames.className = 'frames';
  container.append(bar, frames);

  const showFace = () => {
    const chosen = new URLSearchParams(new FormData(bar) as unknown as Record<string, string>);
    history.replaceState(null, '', `?${chosen}`);
    // New frames, because those that move on would leave each face in the browser's history.
    frames.replaceChildren(
      ...(['light', 'dark'] as const).map((theme) =>
        createFrame(toBareQuery({ ...readAddress(location.search), theme })),
      ),
    );
  };

  const addChoice = (name: 'face' | 'language' | 'text', options: readonly (string | number)[], size = 1) => {
    const select = document.createElement('select');
    for (const option of options) select.add(new Option(String(option)));
    bar.append(name, Object.assign(select, { name, ariaLabel: name, size, value: String(address[name]) }));
    return select;
  };
  // The arrow keys go through the list.
  const faces = toFaces(0, '').map(({ id }) => id);
  addChoice('face', faces, 12).focus();
  addChoice('language', Object.keys(languages));
  addChoice('text', [100, 150, 200]);
  bar.addEventListener('change', showFace);
  showFace();
}

/** A frame that is as high as its page, as browsers show a popup. */
function createFrame(src: string): HTMLIFrameElement {
  const frame = Object.assign(document.createElement('iframe'), { src, title: 'The popup' });
  frame.addEventListener('load', () => {
    const root = frame.contentDocument?.documentElement;
    if (!root) return;
    new ResizeObserver(() => {
      if (root.offsetHeight > 0) frame.style.height = `${root.offsetHeight}px`;
    }).observe(root);
  });
  return frame;
}
