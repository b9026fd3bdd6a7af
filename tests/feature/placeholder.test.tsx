// @vitest-environment happy-dom
// The placeholder in src/feature/Feature.tsx, until a feature takes its place.

import { act, render } from '@testing-library/react';
import { readFileSync } from 'node:fs';
import type { ComponentType } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { FeatureProps } from '../../src/feature/feature-props.ts';
import { ada } from '../support/fake-observer.ts';

const file = 'src/feature/Feature.tsx';
const isThere = readFileSync(file, 'utf8').includes('Your feature goes here');

async function renderFeature(
  answer = () => Promise.resolve(Response.json({ name: 'Ada' })),
): Promise<Element> {
  // A feature of yours may need a browser, so it is not imported without need.
  const imported: { readonly default: ComponentType<FeatureProps> } =
    await import('../../src/feature/Feature.tsx');
  const Feature = imported.default;
  const props: FeatureProps = {
    user: ada,
    fetch: answer,
    requestScope: () => Promise.resolve('granted'),
    requestStepUp: () => Promise.resolve('granted'),
  };
  return render(<Feature {...props} />).container;
}

describe('the placeholder of the feature', () => {
  beforeEach(({ skip }) => skip(!isThere, 'A feature has taken the place of the placeholder.'));

  test('shows developers which file to edit, and an answer of the demo API', async () => {
    const shown = await renderFeature();
    expect(shown.textContent).toContain(file);
    await expect.poll(() => shown.textContent).toContain('{"name":"Ada"}');
  });

  test.each([
    ['refuses', () => Promise.resolve(new Response('no', { status: 401 }))],
    ['is not there', () => Promise.reject(new TypeError())],
  ])('says nothing of an API that %s', async (_, answer) => {
    const shown = await renderFeature(answer);
    await act(() => Promise.resolve());
    expect(shown.textContent).not.toContain('API');
  });

  test('is empty in a production build', async () => {
    vi.stubEnv('MODE', 'production');
    expect((await renderFeature()).innerHTML).toBe('');
  });
});
