// @vitest-environment happy-dom

import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { nobody, toView } from '../support/fake-observer.ts';
import { renderPopup, signingIn } from '../support/render-popup.tsx';

const icons = new Map([['demo', 'data:image/png;base64,iVBORw0KGgo=']]);
const providers = [
  { id: 'demo', name: 'Demo provider', endsSession: false },
  { id: 'constructor', name: 'Other', endsSession: false },
];

test('a provider shows its icon beside its name, as decoration, or else its first letter', () => {
  renderPopup(toView(nobody, { providers }), { icons });
  const [first, second] = screen.getAllByRole('button');
  const icon = first?.querySelector('img');
  expect([icon?.src, icon?.alt]).toEqual([icons.get('demo'), '']);
  expect(first?.textContent).toContain('Demo provider');
  expect(first?.querySelector('.tile')).toBeNull();
  expect(second?.querySelector('img')).toBeNull();
  expect(second?.querySelector('.tile')?.textContent).toBe('O');
});

test('a provider shows its icon while a person signs in there', () => {
  const { container } = renderPopup(toView(signingIn, { providers }), { icons });
  expect(container.querySelector<HTMLImageElement>('.progress img')?.src).toBe(icons.get('demo'));
});
