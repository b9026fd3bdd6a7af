// The parts that the session's files share: what surrounds the session, the store in the middle, and the ways to tokens.

import type { BoardStore } from '../../bridge/session/board.ts';
import type { StorageArea } from '../../bridge/storage-item.ts';
import type { ProviderId } from '../../session/session.ts';
import type { Journal } from '../journal.ts';
import type { InForce } from '../policy/policy-in-force.ts';
import type { AuthWindow } from '../provider/auth-window.ts';
import type { ProviderAccess } from '../provider/provider-access.ts';
import type { SignIn } from '../provider/sign-in.ts';
import type { SignOutWindow } from '../provider/sign-out-window.ts';
import type { ReopenPopup } from '../toolbar/reopen-popup.ts';
import type { Toolbar } from '../toolbar/toolbar.ts';
import type { Records } from '../vault/records.ts';
import type { DeviceSignIn } from './device-sign-in.ts';
import type { OauthTokens } from './oauth-tokens.ts';
import type { ReadSession } from './permission.ts';
import type { Revocations } from './revocations.ts';
import type { SignOutMark } from './sign-out-mark.ts';
import type { ViewStore } from './store.ts';
import type { Tasks } from './tasks.ts';

/** The parts that the files of this folder work with. Each takes the ones it needs. */
export interface SessionParts {
  readonly store: ViewStore;
  readonly revocations: Revocations;
  /** The sign-in of this build: in the window, or with a code. */
  readonly signIn: SignIn;
  /** The one that never shows a code. */
  readonly windowSignIn: SignIn;
  /** The one with a code; missing if no provider is used with one. */
  readonly device?: DeviceSignIn | undefined;
  /** Begins to read what a start needs. */
  readonly readAhead: () => void;
  readonly boards: BoardStore;
  readonly readSession: ReadSession;
  /** The providers that are offered now; the map's content changes with the policy. */
  readonly providers: ReadonlyMap<ProviderId, ProviderAccess>;
  /** Every provider that is known, offered or not. */
  readonly knownProviders: () => readonly ProviderAccess[];
  /** Resolves with the settings in force, as soon as they are known. */
  readonly policy: () => Promise<InForce>;
  /** The settings in force. */
  readonly inForce: () => InForce;
  readonly signOutMark: SignOutMark;
  readonly memory: StorageArea;
  readonly authWindow: AuthWindow;
  readonly records: Records;
  readonly signOutWindow: SignOutWindow;
  readonly toolbar: Toolbar;
  readonly reopenPopup: ReopenPopup;
  readonly journal: Journal;
  readonly tasks: Tasks;
  /** Missing in a build whose configuration needs none. */
  readonly oauthTokens?: OauthTokens | null | undefined;
  /** Puts off work that no one is waiting for. */
  readonly whenIdle: () => Promise<void>;
  readonly nowMs: () => number;
}
