// Where the feature lives. What goes wrong in it stays in it.

import { Component, type ReactNode, Suspense, use, useDeferredValue } from 'react';
import type { Profile } from '../../session/session.ts';
import { FeatureContext } from '../feature-context.ts';
import { useText } from '../i18n/use-text.ts';

export function FeatureArea({ user }: { readonly user: Profile }) {
  const text = useText();
  const Feature = use(FeatureContext);
  // In a later rendering than the rest, which is painted first; and not as what follows a fallback, which
  // React would hold back for 300 ms.
  const isWanted = useDeferredValue(true, false);
  return (
    <section data-region="feature" aria-label={text.feature.label}>
      <Firewall>
        {/* oxlint-disable-next-line react/static-components -- the page has made it once and for all */}
        <Suspense>{isWanted && <Feature user={user} />}</Suspense>
      </Firewall>
    </section>
  );
}

/** Shows a way to go on instead of a feature that threw. React has no function that can do this. */
class Firewall extends Component<{ readonly children: ReactNode }, { readonly hasFailed: boolean }> {
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
