// A feature for the tests: calls the API, shows its response, and exposes its props to the test.

import { providers } from 'latchkey:config';
import { useEffect, useState } from 'react';
import type { FeatureProps } from '../../../src/feature/feature-props.ts';
import { cases, observe } from '../fetch-cases.ts';

/** The global `sample`, set when the feature is mounted. It stays after the feature has been unmounted. */
export interface Sample extends FeatureProps {
  readonly cases: typeof cases;
  readonly observe: typeof observe;
}

declare global {
  var sample: Sample;
}

export default function Feature({ user, fetch, requestScope, requestStepUp }: FeatureProps) {
  const [answer, setAnswer] = useState('');
  const [outcome, setOutcome] = useState('');
  const [count, setCount] = useState(0);

  useEffect(() => {
    globalThis.sample = { user, fetch, requestScope, requestStepUp, cases, observe };
    const unmounted = new AbortController();
    const api = providers.find(({ id }) => id === user.providerId)?.apiOrigins[0];
    fetch(`${api}/api/me`, { signal: unmounted.signal })
      .then((response) => response.text())
      .then(setAnswer, (error: unknown) => {
        if (!unmounted.signal.aborted) setAnswer(String(error));
      });
    return () => unmounted.abort();
  }, [user, fetch, requestScope, requestStepUp]);

  if (count < 0) throw new Error('The sample feature fails on purpose.');
  return (
    <div data-sample="feature">
      {answer !== '' && <p data-sample="answer">{answer}</p>}
      <button type="button" data-sample="count" onClick={() => setCount(count + 1)}>
        {count}
      </button>
      <button type="button" data-sample="fail" onClick={() => setCount(-1)}>
        Fail
      </button>
      <button
        type="button"
        data-sample="allow"
        onClick={() => void requestScope('notes.read').then(setOutcome)}
      >
        Allow
      </button>
      {outcome !== '' && <p data-sample="outcome">{outcome}</p>}
    </div>
  );
}
