// The line from the feature's half in the worker to the worker itself.

import { close, type Line } from './line.ts';
import type { Serve } from './serve-lines.ts';

/** Creates a line whose requests `serve` serves in the same place. It is never lost, because both ends live equally long. */
export function createOwnLine(serve: Serve): Line {
  return (_to, content, _transfer, { onMessage }) => {
    let status: 'open' | 'over' = 'open';
    const tell = serve(content, (message) => {
      // Later, as on the line of a page.
      queueMicrotask(() => {
        if (status === 'open') onMessage(message);
      });
    });
    return (message) => {
      if (status === 'over') return;
      if (message === close) status = 'over';
      tell(message);
    };
  };
}
