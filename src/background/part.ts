// The parts of the worker that a build contains only if its configuration needs them: `latchkey:parts` lists them. A part knows the
// core, and no other part. The core knows the parts by this file alone.

import type { Api, Provider, WorkerConfig, Config } from '../config/provider.ts';
import type { Flow, Obtained } from '../oidc/code-flow.ts';
import type { FindMistakes } from '../config/config-error.ts';
import type { StorageArea } from '../bridge/session/board.ts';
import type { Journal } from './journal.ts';
import type { NewTokens, FormerToken, CodeSignIn } from './record/record.ts';
import type { ProblemError } from '../session/problem.ts';
import type { ProviderAccess, TokenAccess } from './provider/provider.ts';
import type { SignIn } from './provider/run-flow.ts';
import type { ViewStore } from './session/store.ts';
import type { Revocations } from './session/revocations.ts';
import type { UsableSession } from './session/usable.ts';
import type { Records } from './record/records.ts';

/** The tasks of a part. No two parts of a build do the same for one provider. */
export interface Part {
  /** The provider's flow; null if a different part has it, or if it's the code flow with an ID token. */
  readonly flowOf?: (provider: Provider) => Flow | null;
  /**
   * Turns the browser's redirect URI into the one for the provider's sign-ins. A sign-out always uses the browser's own, because
   * Firefox recognizes a different one only in an authorization request.
   */
  readonly toSignInUri?: (redirectUri: string, provider: Provider) => string;
  /** Keeps tokens usable that came without an ID token. */
  readonly plainTokens?: PlainTokens;
  /** Signs people in with a code. */
  readonly createDeviceSignIn?: (core: DeviceParts) => DeviceSignIn;
  /** Lays an administrator's policy over the settings of the build. */
  readonly createPolicy?: (core: PolicyParts) => Policy;
  /**
   * Checks that a scope for the token of `api`, or with null of the sign-in, doesn't belong to a different token. Throws {@link
   * ProblemError}.
   */
  readonly expectOwnScope?: (provider: Provider, api: Api | null, scope: string) => void;
  /** Finds what contradicts the part in a provider that a policy brings. */
  readonly findMistakes?: FindMistakes;
}

/** The settings in force: the build's, or a policy laid over them. */
export interface InForce extends Pick<
  Config,
  'providers' | 'persistence' | 'autoSignIn' | 'rememberAccounts'
> {
  /**
   * The administrator's part; null if there is none, and `awaited` while no good one has arrived: nothing is offered, and no
   * session ends. `by` is the organization's name, if the policy gives it.
   */
  readonly managed: { readonly by: string | null } | 'awaited' | null;
  /** The first mistake of the newest policy, which isn't in force; null if there is none. */
  readonly problem: string | null;
}

/** Reads the settings in force, or some of them. */
export interface Settings<Name extends keyof InForce = keyof InForce> {
  readonly inForce: Pick<InForce, Name>;
}

export interface Policy {
  /**
   * Resolves with the settings in force, as soon as they are known: at once if an earlier worker has remembered a policy,
   * otherwise when one has come or none has come in time. Rejects if the storage fails, and the next call tries again.
   */
  ready(): Promise<InForce>;
  /** The settings in force now; those of the build before any are known. */
  readonly inForce: InForce;
}

/** The parts of the browser that a policy needs. Browsers without managed storage have no `managed`. */
export interface ManagedBrowser {
  readonly storage: {
    readonly managed?: {
      get(): Promise<Record<string, unknown>>;
      /** Missing in Firefox, where a policy changes only when the browser restarts. */
      readonly onChanged?: { addListener(listener: () => void): void };
    };
  };
  readonly management?: { getSelf(): Promise<{ readonly installType: string }> };
}

export interface PolicyParts {
  readonly browser: ManagedBrowser;
  /** Where the last good policy is remembered. */
  readonly area: StorageArea;
  /** The configuration of the build. */
  readonly built: WorkerConfig;
  /** Find what contradicts the parts of this build in a policy's provider. */
  readonly rules: readonly FindMistakes[];
  readonly journal: Journal;
  /** Prints the mistakes of a policy that isn't used, for an administrator. */
  readonly warn?: ((problems: readonly string[]) => void) | undefined;
  /** Offers the providers of the settings in force, before anything else learns of them. */
  readonly offer: (providers: readonly Provider[]) => void;
  /** Notes the providers of a former policy. */
  readonly remember: (former: readonly Provider[]) => void;
  /** Called after each change that came when the worker was running. */
  readonly onChanged: () => void;
}

/** The settings of a build without policies. */
export function asBuilt(config: WorkerConfig): InForce {
  const { providers, persistence, autoSignIn, rememberAccounts } = config;
  return { providers, persistence, autoSignIn, rememberAccounts, managed: null, problem: null };
}

/** New tokens of the same user. */
export interface Renewed {
  readonly outcome: 'renewed';
  readonly renewed: NewTokens;
  readonly former: FormerToken;
  /** Why only the refresh token is new; missing if the access token is too. */
  readonly problem?: ProblemError;
}

/** The session is over. */
export interface Ended {
  readonly outcome: 'ended';
  readonly problem: ProblemError;
  readonly former: FormerToken;
}

export interface PlainTokens {
  /**
   * Why the session ends although the renewed tokens work: with `allowed` in the configuration, the user API says who the
   * user is. Null if the user may stay, or without a response. Never rejects.
   */
  readonly judge: (usable: UsableSession) => Promise<ProblemError | null>;
  /**
   * Asks the user API whether an access token without a refresh token still works. The session ends only if it refuses the
   * token: a lifetime that has passed, or the refusal of another API, proves nothing. Without a response the token is used
   * for a while longer. Never rejects.
   */
  readonly check: (usable: UsableSession) => Promise<Renewed | Ended>;
}

/**
 * The sign-in of a build with the device flow. `inWindow` uses that flow if the provider or the browser has no other way: it shows
 * the user code on the board, for the sign-in that the board shows as running. It throws {@link ProblemError}: `cancelled` once the
 * session has left that sign-in, `interrupted` when the code has expired, and whatever a sign-in in the window throws.
 */
export interface DeviceSignIn extends SignIn {
  /** The board's view of a sign-in at this provider before its code is there; undefined if it begins with a window. */
  firstView(access: ProviderAccess): { readonly device: null } | undefined;
  /** Goes on, as `inWindow` does, with the code that another worker has shown. */
  goOn(access: TokenAccess, codeSignIn: CodeSignIn): Promise<Obtained>;
}

export interface DeviceParts {
  readonly store: ViewStore;
  /** Whether the browser has a sign-in window. */
  readonly hasWindow: () => boolean;
  /** The provider's flow; device sign-ins identify the user as it does. */
  readonly flowOf: (provider: Provider) => Flow;
  /** The sign-in that never shows a code. */
  readonly windowSignIn: SignIn;
  readonly revocations: Pick<Revocations, 'settled'>;
  readonly records: Records;
  readonly nowMs: () => number;
}
