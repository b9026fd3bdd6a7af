// The smallest popup in React: one line, and no state.

import { useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { markPaint } from '../mark-paint.ts';

function Line() {
  useLayoutEffect(markPaint, []);
  return <p>You are signed in.</p>;
}

const container = document.querySelector('#root');
if (container !== null) createRoot(container).render(<Line />);
