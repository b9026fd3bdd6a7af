// The package's entry point for a popup of your own in React: `latchkey/react`.

import {
  type ComponentProps,
  createContext,
  type ReactNode,
  useContext,
  useState,
  useSyncExternalStore,
} from 'react';
import { connectFeature, type FeatureConnection } from '../bridge/fetch/connect-feature.ts';
import type { Board, SessionObserver } from '../bridge/session/observer.ts';
import type { View } from '../session/view.ts';
import { observeSession } from './session.ts';

/** The session as a page knows it; `starting` until it has been read. */
export type Session = { readonly status: 'starting' } | (View & Pick<Board, 'providers'>);

interface Connection extends FeatureConnection {
  readonly observer: SessionObserver;
}

const ConnectionContext = createContext<Connection | null>(null);

interface SessionProviderProps {
  readonly children: ReactNode;
  /** For tests, one that shows what the test needs. By default that of this page. */
  readonly observer?: SessionObserver;
}

/** Put it once on each page, around everything that uses the session. */
export function SessionProvider({ children, observer }: SessionProviderProps) {
  const [connection] = useState((): Connection => {
    const used = observer ?? observeSession();
    return { observer: used, ...connectFeature(used) };
  });
  return <ConnectionContext value={connection}>{children}</ConnectionContext>;
}

function useConnection(): Connection {
  const connection = useContext(ConnectionContext);
  if (connection === null)
    throw new Error('Put <SessionProvider> around the components that use the session.');
  return connection;
}

/** The session, and the providers to sign in with. The component renders again when they change. */
export function useSession(): Session {
  const { getSnapshot, subscribe } = useConnection().observer;
  const view = useSyncExternalStore(subscribe, getSnapshot, getSnapshot);
  return view.status === 'starting' ? view : { ...view.board.session, providers: view.board.providers };
}

/** Sends a command to the worker. Its promise never rejects: a refused command has its problem in the reply. */
export function useSend(): SessionObserver['send'] {
  return useConnection().observer.send;
}

/** The `fetch` that attaches the signed-in user's token. It's always the same function. */
export function useFetch(): FeatureConnection['fetch'] {
  return useConnection().fetch;
}

interface SignInButtonProps extends ComponentProps<'button'> {
  /** By default the first provider. */
  readonly providerId?: string;
}

/** A button that starts a sign-in. It shows its children, or else the provider's name, and takes what a `<button>` takes. */
export function SignInButton({ providerId, children, onClick, ...button }: SignInButtonProps) {
  const session = useSession();
  const send = useSend();
  const providers = session.status === 'starting' ? [] : session.providers;
  const provider = providers.find(({ id }) => providerId === undefined || id === providerId);
  return (
    <button
      type="button"
      data-provider={provider?.id}
      disabled={provider === undefined || session.status === 'signing-in'}
      {...button}
      onClick={(event) => {
        onClick?.(event);
        if (provider !== undefined && !event.defaultPrevented)
          void send({ type: 'sign-in', providerId: provider.id });
      }}
    >
      {children ?? provider?.name}
    </button>
  );
}

interface AccountMenuProps extends ComponentProps<'details'> {
  /** The words on the button that signs out. */
  readonly signOut: ReactNode;
}

/** Shows the signed-in user, your own items, and a button to sign out. Shows nothing while no user is signed in. */
export function AccountMenu({ signOut, children, ...details }: AccountMenuProps) {
  const session = useSession();
  const send = useSend();
  if (session.status !== 'signed-in') return null;
  const { name, email, picture } = session.profile;
  return (
    <details {...details}>
      <summary>
        {picture !== null && <img src={picture} alt="" width="32" height="32" />}
        {name ?? email}
      </summary>
      {name !== null && email !== null && <p>{email}</p>}
      {children}
      <button
        type="button"
        data-action="sign-out"
        onClick={() => void send({ type: 'sign-out', everywhere: false })}
      >
        {signOut}
      </button>
    </details>
  );
}
