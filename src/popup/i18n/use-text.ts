// Provides the texts in the person's language to the components.

import { createContext, useContext } from 'react';
import type { Text } from './text.ts';

/** The texts of the page. Set it around everything that uses {@link useText}. */
export const TextContext = createContext<Text | null>(null);

/** The texts of the page. Throws outside a {@link TextContext}. */
export function useText(): Text {
  const text = useContext(TextContext);
  if (text === null) throw new Error('useText needs <TextContext> around the component.');
  return text;
}
