// The smallest popup in React: one line, and no state. Marks its paint as the popup does.

import { useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';

function Line() {
  useLayoutEffect(() => {
    requestAnimationFrame(() => setTimeout(() => performance.mark('latchkey:ready')));
  }, []);
  return <p>You are signed in.</p>;
}

const container = document.querySelector('#root');
if (container !== null) createRoot(container).render(<Line />);
