// The lines of what the doctor says, at most 100 columns wide.

import type { Finding } from './finding.ts';

const columns = 100;

/** The lines of one thing said, after its severity. `remedy` begins on a line of its own. */
export function printSaid(
  severity: Finding['severity'],
  text: string,
  remedy: string | null = null,
): string[] {
  const label = `  ${severity.padEnd(9)}`;
  return [...printLabelled(label, text), ...(remedy === null ? [] : wrap(remedy, ' '.repeat(label.length)))];
}

/** The lines of one step of several, with its number. */
export function printNumbered(text: string, index: number): string[] {
  return printLabelled(`    ${`${index + 1}.`.padEnd(4)}`, text);
}

function printLabelled(label: string, text: string): string[] {
  const indent = ' '.repeat(label.length);
  return wrap(text, indent).map((line, index) => (index === 0 ? line.replace(indent, label) : line));
}

/** Breaks a text between words. A word that is longer than a line, such as a URI, gets a line of its own. */
export function wrap(text: string, indent: string): string[] {
  const line = new RegExp(`\\S(?:.{0,${columns - indent.length - 1}}|\\S*)(?= |$)`, 'g');
  return (text.match(line) ?? ['']).map((words) => indent + words);
}
