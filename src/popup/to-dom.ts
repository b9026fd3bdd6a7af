// Makes DOM of simple elements without `react-dom`, which takes longer to load than everything else in the popup.

import type { ReactElement, ReactNode } from 'react';

/** Stands for a Suspense boundary that has no content yet. */
export function EmptyBoundary(): null {
  return null;
}

type Props = Readonly<Record<string, unknown>> & { readonly children?: ReactNode };

const html = 'http://www.w3.org/1999/xhtml';
const svg = 'http://www.w3.org/2000/svg';

/**
 * The DOM of `node`, as `react-dom` makes it, so that `hydrateRoot` can take it over. Its components must be functions
 * without hooks. Event handlers and refs are left out.
 */
export function toDom(node: ReactNode, namespace = html): readonly Node[] {
  if (node === null || node === undefined || typeof node === 'boolean' || node === '') return [];
  if (Array.isArray(node)) return node.flatMap((child: ReactNode) => toDom(child, namespace));
  if (typeof node !== 'object') return [document.createTextNode(String(node))];
  const { type, props } = node as ReactElement<Props>;
  // The same marks as those of React's server renderer.
  if (type === EmptyBoundary) return [document.createComment('$'), document.createComment('/$')];
  if (typeof type === 'function') {
    return toDom((type as (given: Props) => ReactNode)(props), namespace);
  }
  return [toElement(type, props, type === 'svg' ? svg : namespace)];
}

function toElement(tag: string, { children, src, ...attributes }: Props, namespace: string): Element {
  const element = document.createElementNS(namespace, tag);
  // Last, because the others say how it is loaded.
  for (const [name, value] of Object.entries({ ...attributes, src })) {
    setAttribute(element, name === 'className' ? 'class' : name, value);
  }
  element.append(...toDom(children, namespace));
  return element;
}

function setAttribute(element: Element, name: string, value: unknown): void {
  if (name.startsWith('aria-') && typeof value === 'boolean') element.setAttribute(name, String(value));
  else if (value === true) element.setAttribute(name, '');
  else if (typeof value === 'string' || typeof value === 'number') element.setAttribute(name, String(value));
}
