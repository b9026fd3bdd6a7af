// A button for each provider, and a search field if there are many.

import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Board } from '../../bridge/session/observer.ts';
import { useText } from '../page.ts';
import { toFirstCharacter } from '../user.ts';
import { ProviderTile } from './ProviderTile.tsx';

/** From this number of providers on, the list has a search field. */
const minSearchableProviders = 8;

interface ProviderListProps {
  readonly providers: Board['providers'];
  /** The provider with which a user has signed in last; null if none has. */
  readonly lastId: string | null;
  /** Whether a single provider is shown as the primary button. */
  readonly isFirstChoice: boolean;
  readonly onChoose: (providerId: string) => void;
}

export function ProviderList({ providers, lastId, isFirstChoice, onChoose }: ProviderListProps) {
  const text = useText();
  const [query, setQuery] = useState('');
  const isSearchable = providers.length >= minSearchableProviders;
  const isSearching = isSearchable && query.trim() !== '';
  const found = isSearching ? findProviders(providers, query) : providers;

  const search = useRef<HTMLInputElement>(null);
  // Focus the search field, unless something else already has the focus.
  useEffect(() => {
    if (document.activeElement === document.body) search.current?.focus();
  }, []);

  function chooseFirst(event: FormEvent): void {
    event.preventDefault();
    const [first] = found;
    if (isSearching && first !== undefined) onChoose(first.id);
  }

  const isSingle = isFirstChoice && providers.length === 1;
  return (
    <>
      {isSearchable && (
        <search>
          <form onSubmit={chooseFirst}>
            <input
              ref={search}
              type="search"
              aria-label={text('signedOut_search')}
              placeholder={text('signedOut_search')}
              autoComplete="off"
              spellCheck={false}
              enterKeyHint="go"
              value={query}
              onChange={(event) => setQuery(event.target.value)}
              onKeyDown={moveFocus}
            />
          </form>
        </search>
      )}
      <ul className={isSearching ? 'providers found' : 'providers'}>
        {found.map(({ id, name }) => (
          <li key={id}>
            <button
              type="button"
              className={isSingle ? 'primary' : undefined}
              data-provider={id}
              onClick={() => onChoose(id)}
              onKeyDown={moveFocus}
            >
              <ProviderTile id={id}>
                {/* Alone, a letter says nothing. */}
                {providers.length > 1 && (
                  <span className="tile" aria-hidden="true">
                    {toFirstCharacter(name)}
                  </span>
                )}
              </ProviderTile>
              {/* A long list is quicker to scan with the names alone. A title of the button would be read as well. */}
              <span className="label" title={name} dir={isSearchable ? 'auto' : undefined}>
                {isSearchable ? name : cutName(text('signedOut_continueWith', name))}
              </span>
              {id === lastId && providers.length > 1 && (
                <span className="badge">{text('signedOut_lastUsed')}</span>
              )}
            </button>
          </li>
        ))}
      </ul>
      <p aria-live="polite" className={found.length === 0 ? 'quiet' : 'visually-hidden'}>
        {isSearching &&
          (found.length === 0
            ? text('signedOut_noMatch', query)
            : text('signedOut_results', new Intl.NumberFormat(text.language).format(found.length)))}
      </p>
    </>
  );
}

/** The arrow keys go through the list, and between it and the search field above. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  // While Japanese or Chinese is typed, they go through the suggestions of the keyboard.
  if (step === undefined || event.nativeEvent.isComposing) return;
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const stops = [
    ...document.querySelectorAll<HTMLElement>('.actions [type="search"], .providers [data-provider]'),
  ];
  const next = stops[stops.indexOf(event.currentTarget) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

/**
 * The providers whose name contains every word of the query, the likeliest first: names that begin with the query, then those with
 * exactly its words, then those with words that begin so. Ignores case and accents.
 */
export function findProviders<Provider extends { readonly name: string }>(
  providers: readonly Provider[],
  query: string,
): readonly Provider[] {
  const wanted = toPlain(query).trim();
  const words = wanted.split(/\s+/u);
  const toRank = (name: string) => {
    const own = name.split(/[^\p{L}\p{N}]+/u);
    if (name.startsWith(wanted)) return 0;
    if (words.every((word) => own.includes(word))) return 1;
    return words.every((word) => own.some((part) => part.startsWith(word))) ? 2 : 3;
  };
  return providers
    .map((provider) => ({ provider, name: toPlain(provider.name) }))
    .filter(({ name }) => words.every((word) => name.includes(word)))
    .toSorted((one, other) => toRank(one.name) - toRank(other.name))
    .map(({ provider }) => provider);
}

function toPlain(words: string): string {
  return words.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/**
 * A sentence that has the name, which `isolate` marks, in an element of its own. So a long name is cut at its own end, which may
 * be on the other side of the sentence.
 */
export function cutName(sentence: string): ReactNode {
  const parts = sentence.split(/(?=\u2068)|(?<=\u2069)/u);
  return parts.map((part) => (part[0] === '\u2068' ? <bdi key={part}>{part}</bdi> : part));
}
