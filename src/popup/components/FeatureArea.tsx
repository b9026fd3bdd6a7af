// Mounts the feature, and contains its errors.

import { Component, type ReactNode, Suspense, use, useDeferredValue } from 'react';
import type { Profile } from '../../session/session.ts';
import { FeatureContext } from '../feature-context.ts';
import { useText } from '../i18n/use-text.ts';

export function FeatureArea({ user }: { readonly user: Profile }) {
  const text = useText();
  const Feature = use(FeatureContext);
  // Mounts the feature after the rest of the popup has been painted. A Suspense fallback is no alternative, because
  // React delays the content that replaces one by up to 300 ms.
  const isMounted = useDeferredValue(true, false);
  return (
    <section data-region="feature" aria-label={text.feature.label}>
      <ErrorBoundary>
        {/* oxlint-disable-next-line react/static-components -- the context never changes while the page lives */}
        <Suspense>{isMounted && <Feature user={user} />}</Suspense>
      </ErrorBoundary>
    </section>
  );
}

/** Replaces a feature that throws with a retry button. React supports error boundaries only as classes. */
class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly hasFailed: boolean }> {
  override readonly state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return <Stopped onTryAgain={() => this.setState({ hasFailed: false })} />;
  }
}

function Stopped({ onTryAgain }: { readonly onTryAgain: () => void }) {
  const text = useText();
  return (
    <div className="stopped">
      <p role="alert">{text.feature.stopped}</p>
      <button type="button" onClick={onTryAgain}>
        {text.feature.tryAgain}
      </button>
    </div>
  );
}
