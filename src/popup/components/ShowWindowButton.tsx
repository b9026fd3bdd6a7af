// The button of a screen on which the user has to finish in a window.

import type { Actions } from '../hooks/use-actions.ts';
import { useText } from '../page.ts';

/** Brings the window to the front in which the user has to finish. */
export function ShowWindowButton({ send }: Pick<Actions, 'send'>) {
  const text = useText();
  return (
    <button
      type="button"
      className="primary"
      data-action="show-window"
      onClick={() => send({ type: 'show-window' })}
    >
      {text('signingIn_showWindow')}
    </button>
  );
}
