// Pages of extensions in Chromium: brings an extension's worker to a state, opens a page in a tab, and times its paint.
//
// A tab loads a page in the same way as the toolbar popup does, but needs no click and shows any page.

import { setTimeout as pass } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from 'puppeteer-core';
import { sendOpen } from '../support/browser/send-open.ts';

export const workerStates = ['awake', 'asleep'] as const;
export type WorkerState = (typeof workerStates)[number];

interface Extension {
  readonly id: string;
  /** How a page wakes the extension's worker: with a command, or with a message that any of the others answers. */
  readonly greeting: 'command' | 'message';
}

/** A page of an extension. */
export interface Subject extends Extension {
  readonly path: string;
}

export class Pages {
  readonly #browser: Browser;
  readonly #session: CDPSession;

  private constructor(browser: Browser, session: CDPSession) {
    this.#browser = browser;
    this.#session = session;
  }

  static async attach(browser: Browser): Promise<Pages> {
    return new Pages(browser, await browser.target().createCDPSession());
  }

  /** Stops or wakes the worker. No page of the extension is open afterwards. */
  async bring(extension: Extension, state: WorkerState): Promise<void> {
    if (state === 'asleep') await this.stopWorker(extension);
    else await this.#wakeWorker(extension);
    // The browser comes to rest.
    await pass(200);
  }

  /** Opens the page, and returns the time from the start of its navigation to the mark of its paint, in ms. */
  async timePaint({ id, path }: Subject): Promise<number> {
    const url = `chrome-extension://${id}/${path}`;
    const { targetId } = await this.#session.send('Target.createTarget', { url });
    // Nothing talks to the page while it loads, because that would slow it down.
    await pass(300);
    const target = await this.#browser.waitForTarget((found) => found.url() === url);
    const page = await target.asPage();
    const mark = await page.waitForFunction(
      () => performance.getEntriesByName('latchkey:ready')[0]?.startTime,
      { timeout: 10_000 },
    );
    const time = (await mark.jsonValue()) ?? NaN;
    await this.#session.send('Target.closeTarget', { targetId });
    return time;
  }

  /** Stops the worker without attaching to it: a worker with a debugger attached is kept alive. */
  async stopWorker({ id }: Pick<Extension, 'id'>): Promise<void> {
    const { targetInfos } = await this.#session.send('Target.getTargets');
    const workers = targetInfos.filter(
      ({ type, url }) => type === 'service_worker' && url.startsWith(`chrome-extension://${id}/`),
    );
    for (const { targetId } of workers) await this.#session.send('Target.closeTarget', { targetId });
  }

  async #wakeWorker({ id, greeting }: Extension): Promise<void> {
    const page = await this.#browser.newPage({ background: true });
    await page.goto(`chrome-extension://${id}/manifest.json`);
    await greet(page, greeting);
    await page.close();
  }
}

/** Greets the worker from a page of its extension, and returns how long its answer took, in ms. */
export async function greet(page: Page, greeting: Extension['greeting']): Promise<number> {
  if (greeting === 'command') return (await page.evaluate(sendOpen, 1)).tookMs;
  return page.evaluate(async () => {
    const { chrome } = globalThis as unknown as {
      readonly chrome: { readonly runtime: { sendMessage(message: object): Promise<unknown> } };
    };
    const startedAtMs = performance.now();
    await chrome.runtime.sendMessage({});
    return performance.now() - startedAtMs;
  });
}
