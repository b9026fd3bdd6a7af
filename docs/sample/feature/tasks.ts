// Shared by both halves of the feature: the API's address, the stored list, and the requests that the page sends to the worker.

import { providers } from 'latchkey:config';
import { browser } from '../bridge/browser.ts';
import type { Profile } from '../session/view.ts';

export const url = `${providers[0]?.apiOrigins[0]}/api/tasks`;

/** The key of the stored list. */
export const key = 'feature:tasks';

export interface Task {
  readonly id: string;
  readonly text: string;
}

/** The stored list, and whose it is. */
export interface StoredTasks {
  readonly person: string;
  readonly tasks: readonly Task[];
}

/** An e-mail address doesn't identify a person: it can change hands. */
export function toPerson({ providerId, subject }: Profile): string {
  return `${providerId} ${subject}`;
}

/** The stored list of this person, or null. */
export async function readTasks(person: string): Promise<readonly Task[] | null> {
  const { [key]: stored } = (await browser.storage.local.get(key)) as { readonly [key]?: StoredTasks };
  return stored?.person === person ? stored.tasks : null;
}

export type Request =
  | { readonly type: 'feature:refresh' }
  | { readonly type: 'feature:add'; readonly text: string };

/** Asks the worker, which goes on when the popup closes. Resolves with whether it succeeded. */
export async function ask(request: Request): Promise<boolean> {
  return (await browser.runtime.sendMessage(request).catch(() => false)) === true;
}
