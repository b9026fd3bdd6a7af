// A button that copies a text, and shows the result as its label. A screen reader is told too.

import { useEffect, useState } from 'react';
import { copyText, onClipboardChange, type CopyResult } from '../clipboard.ts';
import { useText } from '../page.ts';

export type Look = 'plain' | 'outlined' | 'primary';

interface CopyButtonProps {
  readonly label: string;
  /** The label if copying fails; the usual one by default. */
  readonly failed?: string;
  /** The value of `data-action`. */
  readonly action?: string;
  readonly look?: Look | undefined;
  /** Returns the text to copy. */
  readonly read: () => string | Promise<string>;
}

export function CopyButton({ label, failed, action, look = 'plain', read }: CopyButtonProps) {
  const text = useText();
  const [result, setResult] = useState<CopyResult | null>(null);
  useEffect(() => (result === null ? undefined : onClipboardChange(() => setResult(null))), [result]);

  const told = result === 'copied' ? text('problem_copied') : (failed ?? text('problem_copyFailed'));
  return (
    <>
      <button
        type="button"
        className={look}
        data-action={action}
        onClick={() => void copyText(read).then(setResult)}
      >
        {result === null ? label : told}
      </button>
      <span className="visually-hidden" aria-live="polite">
        {result !== null && told}
      </span>
    </>
  );
}
