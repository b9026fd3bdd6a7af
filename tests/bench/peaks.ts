// The memory that the browser needs at the peak of a large response, read by a feature and by the page itself, or left unread.

import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pass } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import type { BrowserName } from '../../tools/browser/browsers.ts';
import type { OnStop } from '../../tools/command.ts';
import { inTurns, openFeature, type Way } from './calls.ts';
import type { Measured, Row } from './results.ts';
import { withScene } from './scene.ts';

const megabytes = 100;

export function measurePeaks(onStop: OnStop, name: BrowserName): Promise<Measured> {
  const options = { browser: name, feature: 'sample', provider: { accessTokenSeconds: 3_600 } } as const;
  return withScene(onStop, options, async (scene) => {
    const popup = await openFeature(scene);
    const root = scene.browser.browser.process()?.pid ?? 0;
    const url = `${scene.echo.origin}/bytes?length=${megabytes * 1_000_000}`;
    const measure = async (id: string, how: string, isRead: boolean): Promise<Row> => {
      const { page, feature } = await inTurns(
        (way) => peakWhile(root, () => stream(popup, way, url, isRead)),
        3,
      );
      return {
        id,
        what: `memory at the peak of ${megabytes} MB ${how}, more than before`,
        place: name,
        unit: 'MB',
        value: feature,
        limits: [{ name: "the page's own fetch", value: page }],
        peers: [],
      };
    };
    const read = await measure('peak-read', 'read', true);
    const unread = await measure('peak-unread', 'left unread', false);
    return { rows: [read, unread], plots: [] };
  });
}

/** Reads the whole response, or leaves it unread for 4 s and then cancels it. */
async function stream(popup: Page, way: Way, url: string, isRead: boolean): Promise<void> {
  await popup.evaluate(
    async (asked, isFeature, reads) => {
      const { body } = await (isFeature ? globalThis.sample.fetch : fetch)(asked);
      const reader = body?.getReader();
      if (reads) while ((await reader?.read())?.done === false);
      else await new Promise((resolvePassed) => setTimeout(resolvePassed, 4_000));
      await reader?.cancel();
    },
    url,
    way === 'feature',
    isRead,
  );
}

/** Returns by how many MB all processes of the browser grew at the peak. */
async function peakWhile(root: number, work: () => Promise<void>): Promise<number> {
  const before = await residentMb(root);
  let peak = before;
  const working = work().then(() => 'over');
  while ((await Promise.race([working, pass(50)])) !== 'over') peak = Math.max(peak, await residentMb(root));
  // Lets the browser free memory before the next measurement.
  await pass(2_000);
  return peak - before;
}

/** Returns the memory of this process and its descendants in MB; shared pages count once. */
async function residentMb(root: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry));
  const parents = new Map(
    await Promise.all(
      pids.map(async (pid) => {
        const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
        return [pid, stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? ''] as const;
      }),
    ),
  );
  const isOurs = (pid: string): boolean => pid === String(root) || isChild(pid);
  const isChild = (pid: string): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && parent !== '' && isOurs(parent);
  };
  const sizes = await Promise.all(
    pids.filter(isOurs).map(async (pid) => {
      const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
      return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
    }),
  );
  return sizes.reduce((sum, kilobytes) => sum + kilobytes, 0) / 1024;
}
