// A button that shows a picture in place of its name.

import type { ComponentProps } from 'react';

interface IconButtonProps extends ComponentProps<'button'> {
  /** Read aloud. */
  readonly name: string;
  /** Shown when the mouse rests on the button. */
  readonly hint?: string | undefined;
}

export function IconButton({ name, hint = name, children, ...attributes }: IconButtonProps) {
  return (
    <button type="button" className="icon" {...attributes}>
      {/* A title of the button itself would be read as well. */}
      <span title={hint} aria-hidden="true">
        {children}
      </span>
      <span className="visually-hidden">{name}</span>
    </button>
  );
}
