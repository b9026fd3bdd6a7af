// @vitest-environment happy-dom

import { cleanup, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test } from 'vitest';
import { EmptyBoundary, toDom } from '../../src/popup/to-dom.ts';

afterEach(cleanup);

function Greeting({ name, children }: { readonly name: string; readonly children?: ReactNode }) {
  return (
    <p className="greeting" title={name}>
      {name} {children}
    </p>
  );
}

const names = ['a', 'b'].map((key) => <li key={key}>{key}</li>);
const mark = (
  <svg>
    <path d="M4 10h0" />
  </svg>
);

test.each<{ readonly what: string; readonly node: ReactNode }>([
  { what: 'text', node: 'Ada' },
  { what: 'a number', node: 42 },
  { what: 'nothing', node: [null, undefined, false, true, ''] },
  { what: 'attributes that are missing', node: <p className="a" title={undefined} hidden={false} /> },
  {
    what: 'attributes of each kind',
    node: <p hidden tabIndex={-1} dir="auto" aria-hidden={false} aria-label="x" data-action="y" />,
  },
  { what: 'a style', node: <span style={{ backgroundColor: 'red' }}>x</span> },
  { what: 'a component with two texts', node: <Greeting name="Ada">and Grace</Greeting> },
  { what: 'a list', node: <ul>{names}</ul> },
  { what: 'a picture', node: mark },
])('makes the same DOM as React of $what', ({ node }) => {
  const container = document.createElement('div');
  container.append(...toDom(node));
  const { container: expected } = render(node);
  expect(container.innerHTML).toBe(expected.innerHTML);
  expect(container.querySelector('path')?.namespaceURI).toBe(expected.querySelector('path')?.namespaceURI);
  const texts = (root: Node) => [...(root.firstChild?.childNodes ?? [])].map(({ nodeValue }) => nodeValue);
  expect(texts(container)).toEqual(texts(expected));
});

test('leaves out event handlers and refs, which React adds', () => {
  let calls = 0;
  const [button] = toDom(
    <button type="button" ref={() => void (calls += 1)} onClick={() => void (calls += 1)}>
      Press
    </button>,
  );
  (button as HTMLElement).click();
  expect(calls).toBe(0);
  expect((button as HTMLElement).outerHTML).toBe('<button type="button">Press</button>');
});

test('marks a place in which React will show more, as the server part of React does', () => {
  const [section] = toDom(
    <section>
      <EmptyBoundary />
    </section>,
  );
  expect((section as HTMLElement).innerHTML).toBe('<!--$--><!--/$-->');
});
