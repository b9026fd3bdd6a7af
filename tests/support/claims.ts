// The claims of documents and the tests that hold them, written as `tests/oidc/end.test.ts` «the start of a title».

import { existsSync, readFileSync } from 'node:fs';
import type { TestCase } from 'vitest/node';

export interface Claim {
  readonly document: string;
  readonly file: string;
  readonly title: string;
}

const documents = ['docs/security.md', 'docs/supply-chain.md', 'docs/store/data.md'];

/** The claims of the documents of this folder. */
export function readClaims(): Claim[] {
  return documents.filter(existsSync).flatMap((document) => {
    const text = readFileSync(document, 'utf8');
    return [...text.matchAll(/`(tests\/[^`]+)` «([^»]+)»/g)].map(([, file = '', title = '']) => ({
      document,
      file,
      title,
    }));
  });
}

/** Whether the test, or a group that it's in, has the title of the claim, which is written as in its source: "%s is refused". */
export function isNamed({ title }: Claim, { fullName }: TestCase): boolean {
  // A row of the table of faults is named by its number alone.
  const start = /^F\d+$/.test(title) ? `${title}: ` : title;
  const parts = start.split(/%s|\$\w+/).map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  const names = fullName.split(' > ');
  const isStart = new RegExp(`^${parts.join('.*')}`, 's');
  return names.some((_name, index) => isStart.test(names.slice(index).join(' > ')));
}
