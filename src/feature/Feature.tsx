// The feature, mounted while a user is signed in. It is empty: put yours here.

import { useEffect, useState } from 'react';
import type { FeatureProps } from './feature-props.ts';

export default function Feature(props: FeatureProps) {
  return import.meta.env.MODE === 'production' ? null : <Placeholder {...props} />;
}

/** Shows developers where the feature goes, and a response of the demo API. Production builds don't contain it. */
function Placeholder({ fetch }: FeatureProps) {
  const [answer, setAnswer] = useState<string | null>(null);
  useEffect(() => {
    const leave = new AbortController();
    fetch('http://localhost:4455/api/me', { signal: leave.signal })
      .then(async (response) => setAnswer(response.ok ? await response.text() : null))
      // Without the demo provider there is nothing to show.
      .catch(() => setAnswer(null));
    return () => leave.abort();
  }, [fetch]);

  return (
    <div>
      <p>
        Your feature goes here: <code>src/feature/Feature.tsx</code>. Run{' '}
        <code style={{ whiteSpace: 'nowrap' }}>npm run dev</code> to see it as you write it.{' '}
        <code>docs/feature.md</code> is the guide.
      </p>
      {answer !== null && (
        <p>
          The demo API answers its <code>fetch</code>: <code>{answer}</code>
        </p>
      )}
    </div>
  );
}
