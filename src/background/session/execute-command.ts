// Executes the commands of the extension's pages.

import type { Command, Reply } from '../../session/commands.ts';
import { safe, detail } from '../../session/detail.ts';
import { problem, ProblemError } from '../../session/problem.ts';
import { accountOf, settledView } from '../../session/session.ts';
import type { AutoSignIn } from './auto-sign-in.ts';
import type { RequestAccess } from './request-access.ts';
import type { SignInFlow } from './sign-in-flow.ts';
import type { SignOutFlow } from './sign-out-flow.ts';
import type { SessionParts } from './parts.ts';

/** Accepts or rejects a command; the outcome appears on the board. Throws {@link ProblemError} to reject it. */
export type HandleCommand = (command: Command) => Promise<Reply>;

const accepted: Reply = { ok: true };

export function createCommandHandler(
  parts: SessionParts & {
    readonly start: () => Promise<void>;
    readonly signInFlow: SignInFlow;
    readonly requestAccess: RequestAccess;
    readonly signOutFlow: SignOutFlow;
    readonly onPopupOpened: () => Promise<void>;
    readonly autoSignIn: AutoSignIn;
  },
): HandleCommand {
  const { store, authWindow, signInFlow, signOutFlow } = parts;

  const showWindow = async (): Promise<Reply> => {
    if (await authWindow.show()) return accepted;
    const refusal = problem('sign-in-page-failed', detail`No window proves to be the one of this sign-in.`);
    const mayBeOpen = await authWindow.mayStayOpen();
    // The page shows another text as long as the window has yet to open.
    return { ok: false, problem: { ...refusal, ...(mayBeOpen && { window: 'left-open' }) } };
  };

  const useAnotherAccount = () => {
    const account = accountOf(settledView(store.current()));
    if (account === null) throw new ProblemError('unexpected', detail`There is no account to change.`);
    return signInFlow.start({
      providerId: account.providerId,
      order: { type: 'use-another-account' },
      options: { prompt: 'select_account' },
      asked: null,
    });
  };

  const execute = async (command: Exclude<Command, { readonly type: 'show-window' }>) => {
    switch (command.type) {
      case 'open':
        return parts.onPopupOpened();
      case 'prepare':
        return;
      case 'sign-in':
        return signInFlow.start({
          providerId: command.providerId,
          order: command,
          options: { loginHint: command.hint },
          asked: null,
        });
      case 'cancel':
        return signInFlow.cancel();
      case 'try-again':
        return signInFlow.tryAgain(command.attempt);
      case 'sign-out':
        parts.autoSignIn.refuse();
        await signOutFlow.signOut(command.everywhere);
        return;
      case 'use-another-account':
        return useAnotherAccount();
      case 'request-scope':
      case 'step-up':
      case 'answer-challenge':
        return parts.requestAccess(command);
    }
  };

  return async (command) => {
    // A page sends it whenever the pointer comes near.
    if (command.type !== 'prepare') parts.journal.note(detail`command: ${safe(command.type)}`);
    // A sign-out is done even if nothing is known of the session.
    await parts.start().catch((error: unknown) => {
      if (command.type !== 'sign-out') throw error;
    });
    await store.flushBoard();
    if (command.type === 'show-window') return showWindow();
    await execute(command);
    return accepted;
  };
}
