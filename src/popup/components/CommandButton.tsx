// A button that sends a command.

import type { Command } from '../../session/commands.ts';
import type { Actions } from '../hooks/use-actions.ts';
import type { Look } from './CopyButton.tsx';

interface CommandButtonProps extends Pick<Actions, 'send'> {
  readonly command: Command;
  /** The value of `data-action`, if it isn't the command's type. */
  readonly action?: string | undefined;
  readonly look?: Look;
  readonly children: string;
}

export function CommandButton({ command, action = command.type, look, children, send }: CommandButtonProps) {
  return (
    <button type="button" className={look} data-action={action} onClick={() => send(command)}>
      {children}
    </button>
  );
}
