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

/** The lines of one step of several, with its number. */
export function printNumbered(text: string, index: number): string[] {
  const [first = '', ...rest] = wrap(text, ' '.repeat(8));
  return [`    ${`${index + 1}.`.padEnd(4)}${first.trimStart()}`, ...rest];
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
