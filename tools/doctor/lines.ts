// The lines of what the doctor says, at most 100 columns wide.

import type { Finding } from './finding.ts';

const columns = 100;

/** The lines of one thing said, after its severity. `remedy` begins on a line of its own. */
export function printSaid(
  severity: Finding['severity'],
  text: string,
  remedy: string | null = null,
): string[] {
  const indent = ' '.repeat(11);
  const [first = '', ...rest] = wrap(text, indent);
  return [
    `  ${severity.padEnd(9)}${first.trimStart()}`,
    ...rest,
    ...(remedy === null ? [] : wrap(remedy, indent)),
  ];
}

/** Breaks a text between words. A word that is longer than a line, such as a URI, has its own. */
export function wrap(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && indent.length + longer.length > columns) {
      lines.push(indent + line);
      line = word;
    } else line = longer;
  }
  return [...lines, indent + line];
}
