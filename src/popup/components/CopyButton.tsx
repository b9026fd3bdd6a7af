// A button that copies a text, and shows the result as its label.

import { useState } from 'react';
import { useText } from '../i18n/use-text.ts';

interface CopyButtonProps {
  readonly label: string;
  /** The label if copying fails. */
  readonly failed: string;
  /** The value of `data-action`. */
  readonly action?: string;
  /** Returns the text to copy. */
  readonly read: () => string | Promise<string>;
}

export function CopyButton({ label, failed, action, read }: CopyButtonProps) {
  const text = useText();
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null);

  const copy = async () => {
    await navigator.clipboard.writeText(await read());
  };
  return (
    <button
      type="button"
      className="plain"
      data-action={action}
      onClick={() =>
        void copy().then(
          () => setOutcome('copied'),
          () => setOutcome('failed'),
        )
      }
    >
      {outcome === null ? label : outcome === 'copied' ? text.problem.copied : failed}
    </button>
  );
}
