// The feature, mounted while a person is signed in. It is empty: put yours here.

import type { FeatureProps } from './feature-props.ts';

export default function Feature(_props: FeatureProps) {
  return import.meta.env.DEV ? <Placeholder /> : null;
}

/** Shows developers where the feature goes. Production builds do not contain it. */
function Placeholder() {
  return (
    <p
      style={{
        margin: '0.25rem 0 0',
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
