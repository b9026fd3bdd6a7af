// Shows all views of the popup side by side, each in a frame: light and dark, in any language, at any text size. The
// settings are in the URL, so that it can be shared.

import { type ReactNode, useEffect, useId, useState } from 'react';
import { directions, type Look, readLook, textSizes, themes, toQuery } from './address.ts';
import type { Face } from './face-view.ts';
import { toFaces } from './faces.ts';
import { languageNames } from './languages.ts';

const faces = toFaces(Date.now(), '');

/** The themes that the setting `system` shows. */
const sideBySide = ['light', 'dark'] as const;

export function Gallery() {
  const [parameters] = useState(() => new URLSearchParams(location.search));
  const [look, setLook] = useState(() => readLook(parameters));
  const [query, setQuery] = useState(() => parameters.get('filter') ?? '');

  useEffect(() => {
    const kept: Readonly<Record<string, string>> = query === '' ? {} : { filter: query };
    history.replaceState(null, '', `${location.pathname}${toQuery(kept, look)}`);
  }, [look, query]);

  const change = (changes: Partial<Look>) => setLook((before) => ({ ...before, ...changes }));
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = faces.filter(({ id, group, title }) => {
    const text = `${id} ${group} ${title}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const groups = [...new Set(found.map(({ group }) => group))];
  const shownThemes = look.theme === 'system' ? sideBySide : [look.theme];

  return (
    <main>
      <header>
        <h1>Gallery of the popup</h1>
        <search>
          <label>
            Filter
            <input type="search" value={query} onChange={(event) => setQuery(event.target.value)} />
          </label>
          <Choice label="Theme" value={look.theme} onChoose={(theme) => change({ theme })} of={themes} />
          <Choice
            label="Language"
            value={look.language}
            onChoose={(language) => change({ language })}
            of={languageNames}
          />
          <Choice
            label="Text in percent"
            value={look.text}
            onChoose={(text) => change({ text })}
            of={textSizes}
          />
          <Choice
            label="Direction"
            value={look.direction}
            onChoose={(direction) => change({ direction })}
            of={directions}
          />
        </search>
        <details>
          <summary>Forced colours</summary>
          <p>
            The browser forces colours for all views at once. Chromium: in the developer tools, Rendering,
            “Emulate CSS media feature forced-colors”. Firefox: in the settings, “Manage colours”, “Always”.
          </p>
        </details>
        <output>
          {found.length} of {faces.length} views
        </output>
      </header>
      {groups.map((group) => (
        <Group key={group} title={group}>
          {found
            .filter((face) => face.group === group)
            .map((face) => (
              <FaceFigure key={face.id} face={face} look={look} shownThemes={shownThemes} />
            ))}
        </Group>
      ))}
    </main>
  );
}

interface ChoiceProps<Value> {
  readonly label: string;
  readonly of: readonly Value[];
  readonly value: Value;
  readonly onChoose: (value: Value) => void;
}

function Choice<Value extends string | number>({ label, of, value, onChoose }: ChoiceProps<Value>) {
  return (
    <label>
      {label}
      <select
        value={value}
        onChange={({ target }) => {
          const chosen = of[target.selectedIndex];
          if (chosen !== undefined) onChoose(chosen);
        }}
      >
        {of.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    </label>
  );
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div className="faces">{children}</div>
    </section>
  );
}

interface FaceFigureProps {
  readonly face: Face;
  readonly look: Look;
  readonly shownThemes: readonly Look['theme'][];
}

function FaceFigure({ face: { id, title }, look, shownThemes }: FaceFigureProps) {
  return (
    <figure>
      <figcaption>
        <a href={`./face.html${toQuery({ face: id }, look)}`}>{title}</a> <code>{id}</code>
      </figcaption>
      <div className="frames">
        {shownThemes.map((theme) => (
          // oxlint-disable-next-line react/iframe-missing-sandbox -- the frame shows a page of this project
          <iframe
            key={theme}
            title={`${title}, ${theme}`}
            src={`./face.html${toQuery({ face: id }, { ...look, theme })}`}
            loading="lazy"
            onLoad={({ currentTarget }) => followHeight(currentTarget)}
          />
        ))}
      </div>
    </figure>
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
