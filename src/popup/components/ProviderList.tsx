// A button for each provider, and a search field if there are many.

import { type FormEvent, useState } from 'react';
import type { Board } from '../../bridge/session/observer.ts';
import { findProviders } from '../find-providers.ts';
import { useText } from '../i18n/use-text.ts';
import { cutName } from './cut-name.tsx';
import { Tile } from './Tile.tsx';

/** From this number of providers on, the list has a search field. */
const minSearchableProviders = 8;

interface ProviderListProps {
  readonly providers: Board['providers'];
  /** Whether a single provider is shown as the primary button. */
  readonly isFirstChoice: boolean;
  readonly onChoose: (providerId: string) => void;
}

export function ProviderList({ providers, isFirstChoice, onChoose }: ProviderListProps) {
  const text = useText();
  const [query, setQuery] = useState('');
  const isSearchable = providers.length >= minSearchableProviders;
  const found = isSearchable ? findProviders(providers, query) : providers;

  function chooseOnlyOne(event: FormEvent): void {
    event.preventDefault();
    const [only, ...others] = found;
    if (only !== undefined && others.length === 0) onChoose(only.id);
  }

  return (
    <>
      {isSearchable && (
        <search>
          <form onSubmit={chooseOnlyOne}>
            <input
              type="search"
              aria-label={text.signedOut.search}
              placeholder={text.signedOut.search}
              autoComplete="off"
              spellCheck={false}
              value={query}
              onChange={(event) => setQuery(event.target.value)}
            />
          </form>
        </search>
      )}
      <ul className="providers">
        {found.map(({ id, name }) => (
          <li key={id}>
            <button
              type="button"
              className={isFirstChoice && providers.length === 1 ? 'primary' : undefined}
              data-provider={id}
              onClick={() => onChoose(id)}
            >
              <Tile name={name} seed={id} shape="square" />
              {/* A long list is quicker to scan with the names alone. A title of the button would be read as well. */}
              <span className="label" title={name} dir={isSearchable ? 'auto' : undefined}>
                {isSearchable ? name : cutName(text.signedOut.continueWith(name))}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p aria-live="polite" className="quiet">
        {found.length === 0 && text.signedOut.noMatch(query)}
      </p>
    </>
  );
}
