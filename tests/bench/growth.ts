// How the popup grows with the providers, a sign-in with the provider's keys, and a feature's `fetch` with the bytes.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '../../src/config/config.ts';
import { buildExtension } from '../../tools/build.ts';
import { emptyFeature } from '../../tools/build/settings.ts';
import type { OnStop } from '../../tools/command.ts';
import { createScriptedProvider, createSigningKey } from '../support/scripted-provider.ts';
import { openFeature, timeCalls, ways, inTurns, type Way } from './calls.ts';
import { Pages, workerStates, type Subject } from './pages.ts';
import type { Line, Measured, Plot } from './results.ts';
import { withScene } from './scene.ts';
import { measureInTurns } from './turns.ts';

const providerCounts = [1, 3, 10, 30, 100];

export function measureProviders(onStop: OnStop): Promise<Measured> {
  return withScene(onStop, { browser: 'chrome' }, async ({ browser, folder }) => {
    const pages = await Pages.attach(browser.browser);
    const subjects: [number, Subject][] = [];
    for (const count of providerCounts) {
      const dir = join(folder, `providers-${count}`);
      await buildWithProviders(dir, count);
      const id = await browser.browser.installExtension(dir);
      subjects.push([count, { id, path: 'src/popup/index.html', greeting: 'command' }]);
    }
    const lines: Line[] = [];
    for (const state of workerStates) {
      const measures = subjects.map(([count, subject]) => [
        String(count),
        async () => {
          await pages.bring(subject, state);
          return pages.timePaint(subject);
        },
      ]);
      const times: Readonly<Record<string, number>> = await measureInTurns(Object.fromEntries(measures), {
        turns: 7,
      });
      lines.push({
        name: `worker ${state}`,
        points: providerCounts.map((count) => [count, times[String(count)] ?? NaN]),
      });
    }
    const plot: Plot = {
      id: 'providers',
      title: 'Popup opened → painted, by configured providers',
      place: 'chrome',
      size: 'providers',
      value: 'time, ms',
      lines,
    };
    return { rows: [], plots: [plot] };
  });
}

async function buildWithProviders(outDir: string, count: number): Promise<void> {
  const providers = Array.from({ length: count }, (_, index) => ({
    id: `place-${index + 1}`,
    name: `Place ${index + 1}`,
    issuer: `https://place-${index + 1}.invalid`,
    clientId: 'client',
  }));
  await buildExtension({
    browser: 'chrome',
    outDir,
    config: readConfig({ providers }),
    featureDir: emptyFeature,
  });
  // Without a key the id follows from the folder, so that all builds can be installed at once.
  const path = join(outDir, 'manifest.json');
  const { key: _key, ...manifest } = JSON.parse(await readFile(path, 'utf8')) as { readonly key: string };
  await writeFile(path, JSON.stringify(manifest));
}

const keyCounts = [1, 5, 20, 100, 500];

export async function measureKeys(): Promise<Measured> {
  const signingKey = await createSigningKey('last');
  const other = await createSigningKey('other');
  const measures = keyCounts.map((count) => {
    // The key that signs is the last one.
    const others = Array.from({ length: count - 1 }, (_, index) => ({ ...other.jwk, kid: `key-${index}` }));
    const provider = createScriptedProvider({
      signingKey,
      publishedKeys: () => [...others, signingKey.jwk],
    });
    return [
      String(count),
      async () => {
        const startedAtMs = performance.now();
        await provider.signIn();
        return performance.now() - startedAtMs;
      },
    ];
  });
  const times: Readonly<Record<string, number>> = await measureInTurns(Object.fromEntries(measures), {
    turns: 41,
    warmUp: 5,
  });
  const points = keyCounts.map((count) => [count, times[String(count)] ?? NaN] as const);
  return {
    rows: [],
    plots: [
      {
        id: 'keys',
        title: "A whole sign-in without a window, by the provider's keys",
        place: 'node',
        size: 'keys',
        value: 'time, ms',
        lines: [{ name: 'sign-in', points }],
      },
    ],
  };
}

const byteCounts = [1, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8];

export function measureBytes(onStop: OnStop): Promise<Measured> {
  const options = { browser: 'chrome', feature: 'sample', provider: { accessTokenSeconds: 3_600 } } as const;
  return withScene(onStop, options, async (scene) => {
    const popup = await openFeature(scene);
    const times: Record<Way, number[]> = { page: [], feature: [] };
    for (const bytes of byteCounts) {
      const url = `${scene.echo.origin}/bytes?length=${bytes}`;
      const repeats = bytes > 1e6 ? 1 : 10;
      const measured = await inTurns(
        async (way) => (await timeCalls(popup, way, url, repeats, 'one by one')) / repeats,
        bytes > 1e7 ? 3 : 9,
      );
      for (const way of ways) times[way].push(measured[way]);
    }
    const plot: Plot = {
      id: 'bytes',
      title: "A feature's fetch, by the bytes of the response",
      place: 'chrome',
      size: 'bytes',
      value: 'time, ms',
      lines: ways.map((way) => ({
        name: way === 'page' ? "the page's own fetch" : "a feature's fetch",
        points: byteCounts.map((bytes, index) => [bytes, times[way][index] ?? NaN]),
      })),
    };
    return { rows: [], plots: [plot] };
  });
}
