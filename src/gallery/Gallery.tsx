// The page with the bar: steps through all faces, each in a frame as wide as the popup. Its address names what it shows, so
// that it can be shared.

import './gallery.css';
import { StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { type Address, readAddress, textSizes, themes, toBareQuery, toQuery } from './address.ts';
import { toFaces } from './faces.ts';
import { languageNames } from './languages.ts';

const faces = toFaces(Date.now(), '');
const ids = faces.map(({ id }) => id);

export function showGallery(container: Element): void {
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
    change({ face: ids.at((ids.indexOf(address.face) + by) % ids.length) ?? address.face });
  const face = faces.find(({ id }) => id === address.face);
  const shownThemes = address.theme === 'system' ? (['light', 'dark'] as const) : [address.theme];

  return (
    <main>
      <div className="bar">
        <button type="button" onClick={() => step(-1)}>
          Previous
        </button>
        <button type="button" onClick={() => step(1)}>
          Next
        </button>
        <Choice name="face" of={ids} address={address} onChange={change} />
        <Choice name="theme" of={themes} address={address} onChange={change} />
        <Choice name="language" of={languageNames} address={address} onChange={change} />
        <Choice name="text" of={textSizes} address={address} onChange={change} />
      </div>
      <h1>{face?.title ?? 'There is no such face'}</h1>
      {shownThemes.map((theme) => {
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
    </main>
  );
}

interface ChoiceProps<Name extends keyof Address> {
  readonly name: Name;
  readonly of: readonly Address[Name][];
  readonly address: Address;
  readonly onChange: (changes: Partial<Address>) => void;
}

function Choice<Name extends keyof Address>({ name, of, address, onChange }: ChoiceProps<Name>) {
  return (
    <label>
      {name}
      <select value={address[name]} onChange={({ target }) => onChange({ [name]: of[target.selectedIndex] })}>
        {of.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    </label>
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
