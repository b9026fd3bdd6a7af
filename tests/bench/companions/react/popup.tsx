// The smallest popup in React: one line, and no state.

import { useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { markReady } from '../../../../src/popup/after-paint.ts';

function Line() {
  useLayoutEffect(markReady, []);
  return <p>You are signed in.</p>;
}

const container = document.querySelector('#root');
if (container !== null) createRoot(container).render(<Line />);
