// The region of the feature.

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
