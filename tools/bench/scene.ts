// The setup of a measurement in a browser: a demo provider, an API, a release build of the extension and the browser with it.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { once } from '../../src/concurrency.ts';
import { findBrowser, type BrowserName } from '../browser/browsers.ts';
import { buildExtension } from '../build.ts';
import { emptyFeature } from '../build/settings.ts';
import type { OnStop } from '../command.ts';
import { epochMs, startDemoProvider, type DemoProviderOptions } from '../demo-provider/provider.ts';
import { approve, expectSignedIn, startSignIn, openBrowser } from '../show.ts';
import { readManifest } from '../build/read-manifest.ts';
import { redirectUris } from '../redirect-uris.ts';
import { startEchoServer } from '../../tests/support/echo-server.ts';
import { readConfig } from '../../tests/support/samples.ts';

interface SceneOptions {
  readonly browser: BrowserName;
  /** `empty` by default. */
  readonly feature?: 'empty' | 'sample';
  /** Access tokens last an hour by default. */
  readonly provider?: DemoProviderOptions;
}

export type Scene = Awaited<ReturnType<typeof openScene>>;

/** Makes a folder that is removed when the command ends. */
export async function makeBenchFolder(onStop: OnStop): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-bench-'));
  onStop(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  return folder;
}

/** Opens a scene for `use`, and closes everything in it afterwards, also if the command is stopped. */
export async function withScene<Result>(
  onStop: OnStop,
  options: SceneOptions,
  use: (scene: Scene) => Promise<Result>,
): Promise<Result> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = once(async () => {
    for (const close of stops) await close();
  });
  onStop(stop);
  try {
    return await use(await openScene((close) => void stops.unshift(close), options));
  } finally {
    await stop();
  }
}

const features = {
  empty: emptyFeature,
  sample: resolve(import.meta.dirname, '../../tests/support/sample-feature'),
};

async function openScene(
  onStop: OnStop,
  { browser: name, feature = 'empty', provider: settings }: SceneOptions,
) {
  const folder = await makeBenchFolder(onStop);
  const echo = await startEchoServer();
  onStop(echo.close);
  const demo = await startDemoProvider({
    redirectUris: Object.values(redirectUris(readManifest(), 'demo')),
    accessTokenSeconds: 3_600,
    ...settings,
  });
  onStop(demo.close);
  const { issuer, clientId } = demo;
  const apiOrigins = [issuer, echo.origin];
  const config = readConfig({ providers: [{ id: 'demo', name: 'Demo', issuer, clientId, apiOrigins }] });
  const [provider] = config.providers;
  if (provider === undefined) throw new Error('The configuration has no provider.');
  const extensionDir = join(folder, 'extension');
  await buildExtension({
    browser: name,
    outDir: extensionDir,
    config,
    featureDir: features[feature],
  });
  const executablePath = await findBrowser(name, { log: (line) => void process.stderr.write(`${line}\n`) });
  const browser = await openBrowser(name, { extensionDir, executablePath, headless: true }, onStop);
  return {
    demo,
    echo,
    browser,
    extensionDir,
    /** Signs in as the first user, and returns the popup once it shows them. */
    async signIn() {
      await approve(await startSignIn(browser, provider));
      await expectSignedIn(browser);
      return browser.waitForPopup('main[data-status="signed-in"]');
    },
  };
}

/** Waits for the first request to `path` after the first `from`. */
export async function requestTo({ demo }: Scene, path: string, from: number) {
  for (const endsAtMs = epochMs() + 20_000; epochMs() < endsAtMs;) {
    const found = demo.requests.slice(from).find((request) => request.path === path);
    if (found !== undefined) return found;
    await pass(5);
  }
  throw new Error(`The provider got no request to ${path}.`);
}
