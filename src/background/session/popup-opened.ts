// Runs when a page of the extension opens: renews and warms up, so that the next click is quick.

import { settledSession } from '../../session/session.ts';
import type { AutoSignIn } from './auto-sign-in.ts';
import type { Renewal } from './renewal.ts';
import type { SessionParts } from './parts.ts';

/** With more providers than this, only the one of the last account is warmed up. */
const maxWarmedProviders = 5;

/** A function to be called when a page opens. Rejects with `storage-failed` if the board cannot be written. */
export function createPopupOpened(
  parts: SessionParts & {
    readonly renewal: Renewal;
    readonly completeProfile: () => Promise<void>;
    readonly endWithProvider: () => Promise<void>;
    readonly autoSignIn: AutoSignIn;
  },
): () => Promise<void> {
  const { store, providers } = parts;

  const dismissNotice = () => store.dispatch({ type: 'notice-dismissed' });

  /** Renews stale tokens. A repeated notice is dismissed only after that, because the renewal may replace it. */
  const keepFresh = async (isRepeated: boolean) => {
    await parts.renewal.getFresh(null);
    parts.tasks.runInBackground(parts.endWithProvider());
    if (isRepeated) await dismissNotice();
    await parts.completeProfile();
  };

  return async () => {
    parts.toolbar.looked();
    parts.autoSignIn.tryAt('popup');
    parts.revocations.run();
    const settled = settledSession(store.current());
    const isRepeated = store.markNotice();
    if (settled.status === 'signed-in') {
      parts.tasks.runInBackground(keepFresh(isRepeated));
      return;
    }
    for (const [id, access] of providers) {
      if (providers.size <= maxWarmedProviders || id === settled.lastAccount?.providerId) access.warm();
    }
    if (isRepeated) await dismissNotice();
  };
}
