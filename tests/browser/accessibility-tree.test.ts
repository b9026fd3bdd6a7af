// The accessibility tree of each kind of view: roles, names, descriptions and states, as Chromium computes them.
// `npx vitest run --mode long --project chrome tests/browser/accessibility-tree -u` writes the file anew. Firefox tells its own
// tree to no script; tests/browser/accessibility.test.ts checks the views in it.

import type { SerializedAXNode } from 'puppeteer-core';
import { expect, inject, test } from 'vitest';
import { isLong } from '../support/extent.ts';
import { kindsOfFaces, openPage, showFace } from '../support/browser/gallery-setup.ts';

const states = ['disabled', 'expanded', 'focused', 'haspopup', 'checked', 'modal', 'invalid'] as const;

/** A line for each node, indented by its depth. Without the characters that isolate the direction of a name. */
function toLines({ role, name, description, children = [], ...node }: SerializedAXNode): readonly string[] {
  const told = states.flatMap((state) => (node[state] === undefined ? [] : `${state}: ${node[state]}`));
  const line = [
    role,
    (name ?? '') === '' ? '' : JSON.stringify(name),
    description === undefined ? '' : `(${description})`,
    ...told,
  ];
  const own = line
    .filter((part) => part !== '')
    .join(' ')
    .replace(/[\u2068\u2069]/gu, '');
  return [own, ...children.flatMap(toLines).map((below) => `  ${below}`)];
}

test.runIf(isLong && inject('browserName') === 'chrome')(
  'each kind of view has the accessibility tree that is on record',
  async () => {
    const page = await openPage({ theme: 'light', colours: 'own' });
    const trees: string[] = [];
    for (const face of kindsOfFaces) {
      await showFace(page, face);
      // A feature is loaded after its screen.
      if (face.feature !== undefined) await page.waitForSelector('[data-region="feature"]:not(:empty)');
      const tree = await page.accessibility.snapshot();
      trees.push([`# ${face.id}`, ...(tree === null ? [] : toLines(tree)), ''].join('\n'));
    }
    expect(trees.length).toBeGreaterThan(15);
    await expect(trees.join('\n')).toMatchFileSnapshot('accessibility-trees.txt');
  },
);
