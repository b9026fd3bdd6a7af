// Hands the texts in the person's language to every part of the popup.

import { createContext, useContext } from 'react';
import type { Text } from './text.ts';

export const TextContext = createContext<Text | null>(null);

/** The texts that the page was given. Throws where it was given none. */
export function useText(): Text {
  const text = useContext(TextContext);
  if (text === null) throw new Error('There is no text to show: render <TextContext value={…}> around this.');
  return text;
}
