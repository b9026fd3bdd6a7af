// A sentence with the name of a person or of a provider. A long name is cut at its own end, which may be on the other side
// of the sentence.

import type { ReactNode } from 'react';

/** The `sentence`, with its name in an element. The name is the one that src/popup/i18n/text.ts has isolated. */
export function cutName(sentence: string): ReactNode {
  const parts = sentence.split(/(?=\u2068)|(?<=\u2069)/u);
  return parts.map((part) => (part[0] === '\u2068' ? <bdi key={part}>{part}</bdi> : part));
}
