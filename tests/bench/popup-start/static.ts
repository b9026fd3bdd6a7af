// The smallest popup: its HTML is all that it shows. Marks its paint as the popup does.

requestAnimationFrame(() => setTimeout(() => performance.mark('latchkey:ready')));
