// The regions of the feature and of what screen readers announce.

import type { ReactNode, Ref } from 'react';

interface FeatureRegionProps {
  readonly label: string;
  readonly ref?: Ref<HTMLElement>;
  readonly children?: ReactNode;
}

export function FeatureRegion({ label, ref, children }: FeatureRegionProps) {
  return (
    <section ref={ref} data-region="feature" aria-label={label} tabIndex={-1}>
      {children}
    </section>
  );
}

interface StatusRegionProps {
  /** Whether it holds nothing but an announcement, which is not shown. */
  readonly isEmpty: boolean;
  readonly problemCode?: string | undefined;
  readonly children: ReactNode;
}

/** Every screen has it, because screen readers announce only changes inside an existing region. */
export function StatusRegion({ isEmpty, problemCode, children }: StatusRegionProps) {
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an output is the result of a form
      role="status"
      aria-atomic="false"
      className={isEmpty ? 'visually-hidden' : 'notice'}
      data-problem={problemCode}
    >
      {children}
    </div>
  );
}
