// A sentence with the name of a person or of a provider. A long name is cut at its own end, which may be on the other side
// of the sentence.

import type { ReactNode } from 'react';

/** The `sentence`, with its name in an element. The name is the one that src/popup/i18n/text.ts has isolated. */
export function cutName(sentence: string): ReactNode {
  const [before, name, after] = sentence.split(/(\u2068.*\u2069)/su);
  return [before, <bdi key="name">{name}</bdi>, after];
}
