// The feature, mounted while somebody is signed in. It is empty: make it yours.

import type { FeatureProps } from './feature-props.ts';

export default function Feature(_props: FeatureProps) {
  return import.meta.env.DEV ? <Placeholder /> : null;
}

/** Shows the developer where the feature goes; a production build leaves it out. */
function Placeholder() {
  return (
    <p
      style={{
        margin: '0.25rem 20px 1.25rem',
        padding: '2rem 16px',
        border: '1px dashed',
        borderRadius: '0.5rem',
        opacity: 0.7,
        textAlign: 'center',
      }}
    >
      Your feature goes here:
      <br />
      <code>src/feature/Feature.tsx</code>
    </p>
  );
}
