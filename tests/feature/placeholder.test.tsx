// @vitest-environment happy-dom
// The placeholder in src/feature/Feature.tsx, until a feature takes its place.

import { cleanup, render } from '@testing-library/react';
import { readFileSync } from 'node:fs';
import type { ComponentType } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FeatureProps } from '../../src/feature/feature-props.ts';
import { ada } from '../support/fake-observer.ts';

const file = 'src/feature/Feature.tsx';
const isThere = readFileSync(file, 'utf8').includes('Your feature goes here');

afterEach(() => {
  vi.unstubAllEnvs();
  cleanup();
});

async function renderFeature(): Promise<string> {
  // A feature of yours may need a browser, so it is not imported without need.
  const imported: { readonly default: ComponentType<FeatureProps> } =
    await import('../../src/feature/Feature.tsx');
  const Feature = imported.default;
  const props: FeatureProps = { user: ada, fetch, requestScope: () => Promise.resolve('granted') };
  return render(<Feature {...props} />).container.innerHTML;
}

describe('the placeholder of the feature', () => {
  beforeEach(({ skip }) => skip(!isThere, 'A feature has taken the place of the placeholder.'));

  test('shows developers which file to edit', async () => {
    expect(await renderFeature()).toContain(file);
  });

  test('is empty in a production build', async () => {
    vi.stubEnv('DEV', false);
    expect(await renderFeature()).toBe('');
  });
});
