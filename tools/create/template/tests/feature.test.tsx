import { render } from '@testing-library/react';
import { fakeFeatureProps } from 'latchkey/testing';
import { expect, test } from 'vitest';
import Feature from '../src/feature/Feature.tsx';

test('the feature lists the tasks of the user', async () => {
  const fetch = async () => Response.json({ tasks: [{ text: 'Water the plants' }] });
  const { findByText } = render(<Feature {...fakeFeatureProps({ fetch })} />);
  expect(await findByText('Water the plants')).toBeTruthy();
});

test('the feature says that the API refuses', async () => {
  const fetch = async () => new Response(null, { status: 503 });
  const { findByRole } = render(<Feature {...fakeFeatureProps({ fetch })} />);
  expect((await findByRole('alert')).textContent).toContain('503');
});
