// Loads and mounts the feature, and contains its errors.

import {
  Component,
  type ComponentType,
  createContext,
  createRef,
  lazy,
  type ReactNode,
  Suspense,
  use,
  useDeferredValue,
  useState,
} from 'react';
import type { Profile } from '../../session/session.ts';
import { useText } from '../i18n/use-text.ts';
import { FeatureRegion } from '../views/regions.tsx';

/** The feature as a component that needs only the user. */
export type MountedFeature = ComponentType<{ readonly user: Profile }>;

/**
 * Creates the feature to mount, anew for each try: a lazy component remembers for ever that it could not be loaded. The
 * popup passes the one connected to the worker.
 */
export const FeatureContext = createContext<() => MountedFeature>(() => () => null);

/**
 * Returns a function that creates the feature, to be called once for each try. A browser may remember that a module
 * could not be loaded, and then only a new page helps: if a further try fails as well, it calls `reload`.
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

export function FeatureArea({ user }: { readonly user: Profile }) {
  const text = useText();
  const createFeature = use(FeatureContext);
  const [Feature, setFeature] = useState(createFeature);
  // Mounts the feature after the rest of the popup has been painted. A Suspense fallback is no alternative, because
  // React delays the content that replaces one by up to 300 ms.
  const isMounted = useDeferredValue(true, false);
  return (
    <Region label={text('extensionName')} onTryAgain={() => setFeature(createFeature)}>
      <Suspense>{isMounted && <Feature user={user} />}</Suspense>
    </Region>
  );
}

interface RegionProps {
  readonly label: string;
  readonly children: ReactNode;
  /** Called before the children are rendered again. */
  readonly onTryAgain: () => void;
}

/**
 * The region of the feature. Replaces a feature that throws with a retry button, and takes the focus when what had it
 * goes with one of them. React supports error boundaries only as classes.
 */
class Region extends Component<RegionProps, { readonly hasFailed: boolean }> {
  override readonly state = { hasFailed: false };
  readonly #section = createRef<HTMLElement>();

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override getSnapshotBeforeUpdate(): boolean {
    return this.#hasFocus();
  }

  override componentDidUpdate(_props: RegionProps, _state: object, hadFocus: boolean) {
    if (hadFocus && !this.#hasFocus()) this.#section.current?.focus();
  }

  #hasFocus(): boolean {
    return this.#section.current?.contains(document.activeElement) ?? false;
  }

  readonly #tryAgain = () => {
    this.props.onTryAgain();
    this.setState({ hasFailed: false });
  };

  override render() {
    return (
      <FeatureRegion ref={this.#section} label={this.props.label}>
        {this.state.hasFailed ? <Stopped onTryAgain={this.#tryAgain} /> : this.props.children}
      </FeatureRegion>
    );
  }
}

function Stopped({ onTryAgain }: { readonly onTryAgain: () => void }) {
  const text = useText();
  return (
    <>
      <p role="alert">{text('feature_stopped')}</p>
      <button type="button" onClick={onTryAgain}>
        {text('tryAgain')}
      </button>
    </>
  );
}
