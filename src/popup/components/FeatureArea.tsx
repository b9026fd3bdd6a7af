// Loads and mounts the feature, and contains its errors.

import { Component, lazy, memo, type ReactNode, Suspense, useDeferredValue, useState } from 'react';
import type { Profile } from '../../session/view.ts';
import { type MountedFeature, usePage, useText } from '../page.ts';
import { Hero } from './Hero.tsx';
import { ReportButton } from './Problem.tsx';

/**
 * Returns a function that creates the feature, to be called once for each try. A browser may remember that a module
 * couldn't be loaded, and then only a new page helps: if a second try fails, it calls `reload`.
 */
export function createLazyFeature(
  load: () => Promise<MountedFeature>,
  reload: () => void,
): () => MountedFeature {
  let hasFailed = false;
  return () =>
    lazy(async () => {
      try {
        return { default: await load() };
      } catch (error) {
        if (hasFailed) reload();
        hasFailed = true;
        throw error;
      }
    });
}

interface FeatureAreaProps {
  readonly user: Profile;
  /** Returns a report to copy, if the feature fails. */
  readonly report: () => Promise<string>;
}

/** The feature. It isn't rendered again when only what is around it changes. */
export const FeatureArea = memo(function FeatureArea({ user, report }: FeatureAreaProps) {
  const { createFeature } = usePage();
  const [Feature, setFeature] = useState(createFeature);
  // Mounts the feature after the rest of the popup has been painted. A Suspense fallback wouldn't do, because
  // React delays the content that replaces one by up to 300 ms.
  const isMounted = useDeferredValue(true, false);
  return (
    <FeatureBoundary report={report} onTryAgain={() => setFeature(createFeature)}>
      <Suspense>{isMounted && <Feature user={user} />}</Suspense>
    </FeatureBoundary>
  );
}, isSame);

/** Each board has a profile of its own, with its members in the same order. */
function isSame(before: FeatureAreaProps, after: FeatureAreaProps): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

const findRegion = () => document.querySelector<HTMLElement>('[data-region="feature"]');
const hasFocus = () => findRegion()?.contains(document.activeElement) ?? false;

interface Failure {
  /** Null unless the children have thrown. */
  readonly thrown: { readonly error: unknown } | null;
}

/** Notes that its children have thrown. React supports error boundaries only as classes. */
class Boundary<Props> extends Component<Props, Failure> {
  override readonly state: Failure = { thrown: null };

  static getDerivedStateFromError(error: unknown): Failure {
    return { thrown: { error } };
  }
}

interface FeatureBoundaryProps {
  readonly children: ReactNode;
  readonly report: () => Promise<string>;
  /** Called before the children are rendered again. */
  readonly onTryAgain: () => void;
}

/**
 * Replaces a feature that throws with a retry button. If the focused element disappears with either of them, the feature's region
 * takes the focus.
 */
class FeatureBoundary extends Boundary<FeatureBoundaryProps> {
  override getSnapshotBeforeUpdate(): boolean {
    return hasFocus();
  }

  override componentDidUpdate(_props: FeatureBoundaryProps, _state: object, hadFocus: boolean) {
    if (hadFocus && !hasFocus()) findRegion()?.focus();
  }

  readonly #tryAgain = () => {
    this.props.onTryAgain();
    this.setState({ thrown: null });
  };

  override render() {
    const { report, children } = this.props;
    const { thrown } = this.state;
    return thrown ? <Stopped report={report} error={thrown.error} onTryAgain={this.#tryAgain} /> : children;
  }
}

/**
 * Contains what a feature throws when it is unmounted together with its own boundary. Put it around the screen of a user: it
 * then mounts the next one from scratch.
 */
export class UnmountBoundary extends Boundary<{ readonly children: ReactNode }> {
  override componentDidCatch() {
    this.setState({ thrown: null });
  }

  override render() {
    return this.state.thrown === null && this.props.children;
  }
}

/** Looks like any other failure. The heading is the user's name above. */
function Stopped({
  report,
  error,
  onTryAgain,
}: Omit<FeatureBoundaryProps, 'children'> & { readonly error: unknown }) {
  const text = useText();
  return (
    <div className="stopped">
      <Hero
        level="h2"
        heading={text('feature_stopped')}
        sentence={text('signedIn_still')}
        problem="unexpected"
      />
      {/* For the developer, and so is its style: neither is in a production build. */}
      {import.meta.env.DEV && (
        <pre style={{ margin: '0 var(--edge) 1rem', fontSize: 'var(--small)', whiteSpace: 'pre-wrap' }}>
          {describeThrown(error)}
        </pre>
      )}
      <div className="actions">
        <button type="button" className="primary" onClick={onTryAgain}>
          {text('tryAgain')}
        </button>
        <ReportButton report={report} />
      </div>
    </div>
  );
}

/** The message, and below it the file, line and column that the browser names first. */
function describeThrown(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const frame = stack.split('\n').find((line) => /\.[jt]sx?[?:]/.test(line));
  if (frame === undefined) return String(error);
  // Chromium writes "at Feature (<address>)", Firefox "Feature@<address>".
  const address = frame.split(/[\s(@]/).at(-1) ?? '';
  const path = address.split('://').at(-1) ?? '';
  // Vite's server writes the time of the last change behind the file.
  const place = path
    .slice(path.indexOf('/') + 1)
    .replace(/\?[^:]*/, '')
    .replace(')', '');
  return `${String(error)}\n${place}`;
}
