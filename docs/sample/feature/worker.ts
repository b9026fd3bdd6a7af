// Background code: keeps the list fresh while the popup is closed, and shows the number of tasks on the toolbar button.

import { browser } from '../bridge/browser.ts';
import type { Profile } from '../session/view.ts';
import type { FeatureWorkerProps } from './feature-props.ts';
import { key, readTasks, type Request, type StoredTasks, toPerson, url } from './tasks.ts';

const alarm = 'feature:tasks';

export default function startFeature({ fetch, onSession }: FeatureWorkerProps): void {
  let user: Profile | null = null;
  let tellKnown = () => {};
  /** A message may start the worker, and comes before the session has been read. */
  const known = new Promise<void>((resolve) => (tellKnown = resolve));

  /** Adds a task if there is one, then loads the list. */
  async function load(added: string | null = null): Promise<void> {
    await known;
    const asking = user;
    if (asking === null) throw new Error('No one is signed in.');
    if (added !== null) {
      check(await fetch(url, { method: 'POST', body: JSON.stringify({ text: added }) }));
    }
    const response = check(await fetch(url));
    const { tasks } = (await response.json()) as Pick<StoredTasks, 'tasks'>;
    // Someone else may be signed in by now, or no one.
    if (user !== asking) return;
    await browser.storage.local.set({ [key]: { person: toPerson(asking), tasks } satisfies StoredTasks });
    await showBadge(tasks.length === 0 ? '' : String(tasks.length));
  }

  async function start(person: string): Promise<void> {
    if ((await browser.alarms.get(alarm)) === undefined) {
      await browser.alarms.create(alarm, { periodInMinutes: 5 });
    }
    if ((await readTasks(person)) === null) await load();
  }

  async function stop(): Promise<void> {
    await browser.alarms.clear(alarm);
    // Once: at a later start, the badge may be Latchkey's.
    if (!(key in (await browser.storage.local.get(key)))) return;
    await browser.storage.local.remove(key);
    await showBadge('');
  }

  onSession((signedIn) => {
    user = signedIn;
    tellKnown();
    (signedIn === null ? stop() : start(toPerson(signedIn))).catch(console.error);
  });
  browser.alarms.onAlarm.addListener(({ name }) => {
    if (name === alarm) load().catch(console.error);
  });
  browser.runtime.onMessage.addListener((message: unknown) => {
    if (!isRequest(message)) return undefined;
    return load(message.type === 'feature:add' ? message.text : null).then(
      () => true,
      (error: unknown) => {
        console.error(error);
        return false;
      },
    );
  });
}

function check(response: Response): Response {
  if (!response.ok) throw new Error(`The API answered ${response.status}.`);
  return response;
}

async function showBadge(text: string): Promise<void> {
  await browser.action.setBadgeBackgroundColor({ color: '#0b6b60' });
  await browser.action.setBadgeText({ text });
}

function isRequest(message: unknown): message is Request {
  const { type } = Object(message) as { readonly type?: unknown };
  return type === 'feature:refresh' || type === 'feature:add';
}
