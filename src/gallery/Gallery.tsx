// The page with the bar: steps through all faces, each in two frames as wide as the popup. Its address can be shared.

import './gallery.css';
import languages from 'latchkey:languages';
import { StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { type Address, readAddress, toBareQuery, toQuery } from './address.ts';
import { toFaces } from './faces.ts';

const faces = toFaces(0, '').map(({ id }) => id);
const choices = { face: faces, language: Object.keys(languages), text: [100, 150, 200] };

export function show(container: Element): void {
  createRoot(container).render(
    <StrictMode>
      <Gallery />
    </StrictMode>,
  );
}

function Gallery() {
  const [address, setAddress] = useState(() => readAddress(location.search));
  useEffect(() => history.replaceState(null, '', toQuery(address)), [address]);

  const change = (changes: Partial<Address>) => setAddress((before) => ({ ...before, ...changes }));
  const step = (by: number) =>
    change({ face: faces.at((faces.indexOf(address.face) + by) % faces.length) ?? address.face });

  return (
    <main>
      <h1>{address.face}</h1>
      <button type="button" onClick={() => step(-1)}>
        Previous
      </button>
      <button type="button" onClick={() => step(1)}>
        Next
      </button>
      {(['face', 'language', 'text'] as const).map((name) => (
        <label key={name}>
          {name}
          <select
            value={address[name]}
            onChange={({ target }) => change({ [name]: choices[name][target.selectedIndex] })}
          >
            {choices[name].map((option) => (
              <option key={option}>{option}</option>
            ))}
          </select>
        </label>
      ))}
      <div className="frames">
        {(['light', 'dark'] as const).map((theme) => {
          const source = toBareQuery({ ...address, theme });
          return (
            // A new frame for each face, because one that moves on would leave each face in the browser's history.
            // oxlint-disable-next-line react/iframe-missing-sandbox -- the frame shows a page of this project
            <iframe
              key={source}
              title={`The popup, ${theme}`}
              src={source}
              onLoad={({ currentTarget }) => followHeight(currentTarget)}
            />
          );
        })}
      </div>
    </main>
  );
}

/** Keeps the frame as high as its page, as browsers do with a popup. */
function followHeight(frame: HTMLIFrameElement): void {
  const root = frame.contentDocument?.documentElement;
  if (!root) return;
  new ResizeObserver(() => {
    if (root.offsetHeight > 0) frame.style.height = `${root.offsetHeight}px`;
  }).observe(root);
}
