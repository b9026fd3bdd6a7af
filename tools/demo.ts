// Shared by the commands that start the demo provider: its address, and the configuration that names it.

import { resolve } from 'node:path';
import type { Config, Provider } from '../src/config/config.ts';
import type { BrowserName } from './browser/browsers.ts';
import { readConfigFile } from './build/read-config.ts';
import { UsageError, type OnStop } from './command.ts';
import { PortTakenError } from './demo-provider/loopback.ts';
import { type DemoProvider, startDemoProvider } from './demo-provider/provider.ts';
import { step } from './demonstration.ts';
import { readIdentity } from './product.ts';
import { describeRedirectUris, redirectUris } from './redirect-uris.ts';

const root = resolve(import.meta.dirname, '..');

/** The demo provider's address, by which a configuration names it. */
const configuredAddress = 'http://localhost:4455';

/** A configuration, and the provider in it that is the demo provider, or null. */
export interface Demonstrated {
  readonly config: Config;
  readonly demo: Provider | null;
}

/**
 * Reads the configuration for a command that starts the demo provider. `LATCHKEY_DEMO_PORT` moves that to another port,
 * in the configuration too. `configPath` names a file instead of the commands' own. Throws a `FileError`, or a
 * {@link UsageError} for a wrong port.
 */
export function readDemonstrated(configPath?: string): Demonstrated {
  return moveDemo(readConfigFile(configPath), process.env['LATCHKEY_DEMO_PORT']);
}

/** Moves the demo provider to `port`: every address of it in the configuration. An empty port leaves it. */
export function moveDemo(config: Config, port: string | undefined): Demonstrated {
  const address = port ? `http://localhost:${readPort(port)}` : configuredAddress;
  const move = (value: unknown) =>
    value === configuredAddress || (typeof value === 'string' && value.startsWith(`${configuredAddress}/`))
      ? address + value.slice(configuredAddress.length)
      : value;
  const { providers } = config;
  const index = providers.findIndex(({ issuer }) => issuer === configuredAddress);
  if (index === -1) return { config, demo: null };
  const moved = JSON.parse(JSON.stringify(config, (_key, value: unknown) => move(value))) as Config;
  return { config: moved, demo: moved.providers[index] ?? null };
}

/** Lines to print, with the redirect URIs of the other providers. The demo provider has its own already. */
export function describeOthers({ config, demo }: Demonstrated, browser: BrowserName): readonly string[] {
  const others = config.providers.filter((provider) => provider !== demo);
  return describeRedirectUris(readIdentity(), others, [browser]);
}

/**
 * The name of the folder for a browser's build. With a moved demo provider it is another, so that two commands can run
 * side by side: each would replace the build that the browser of the other has loaded.
 */
export function toBuildFolder(browser: BrowserName, demo: Provider | null): string {
  return demo === null || demo.issuer === configuredAddress
    ? browser
    : `${browser}-${new URL(demo.issuer).port}`;
}

/** The options of the build for `npm start`, in a folder of its own: it's no build to ship. */
export function toBuildOptions({ config, demo }: Demonstrated, browser: BrowserName) {
  const outDir = resolve(root, 'dist/start', toBuildFolder(browser, demo));
  return { browser, config, mode: 'demonstration', outDir } as const;
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return port;
  throw new UsageError(`LATCHKEY_DEMO_PORT is ${JSON.stringify(text)}; expected a port, from 1 to 65535.`);
}

/**
 * Starts the demo provider at its issuer's port, with the redirect URIs of manifest.json. Throws an Error that says who
 * has the port, if it is taken.
 */
export async function startDemo(
  { id, issuer, firefoxRedirect }: Provider,
  onStop: OnStop,
  start: typeof startDemoProvider = startDemoProvider,
): Promise<DemoProvider> {
  const port = Number(new URL(issuer).port);
  const uris = Object.values(redirectUris(readIdentity(), id, firefoxRedirect));
  try {
    const provider = await start({ port, redirectUris: uris });
    onStop(() => provider.close());
    return provider;
  } catch (error) {
    const holder = await findHolder(error, issuer);
    if (holder === null) throw error;
    throw new Error(
      `port ${port} ${holder}, or set LATCHKEY_DEMO_PORT to another port, such as ${port + 1}.`,
      {
        cause: error,
      },
    );
  }
}

/** Says who keeps the port from the demo provider and what to do, or gives null if the error is another. */
async function findHolder(error: unknown, issuer: string): Promise<string | null> {
  // Windows reserves ranges of ports, and other systems those below 1024.
  if (error instanceof Error && 'code' in error && error.code === 'EACCES') {
    return 'is reserved by the system. Free it';
  }
  if (!(error instanceof PortTakenError)) return null;
  return (await isDemoProvider(issuer))
    ? 'is taken by another `npm start` or `npm run dev`. Stop that with Ctrl-C'
    : 'is taken by another program. Stop that';
}

/**
 * Starts the demo provider, if there is one, and then builds. Not the other way round: a build would replace the one that
 * the browser of another `npm start` has loaded.
 */
export async function startDemoThenBuild(
  demo: Provider | null,
  onStop: OnStop,
  build: () => Promise<void>,
): Promise<void> {
  if (demo !== null) {
    await step(`start the demo provider at ${demo.issuer}`, () => startDemo(demo, onStop));
  }
  await build();
}

/** Whether an OpenID Provider with this issuer answers there: on this computer that is a demo provider. */
async function isDemoProvider(issuer: string): Promise<boolean> {
  try {
    const response = await fetch(`${issuer}/.well-known/openid-configuration`, {
      signal: AbortSignal.timeout(2_000),
    });
    return ((await response.json()) as { readonly issuer?: unknown } | null)?.issuer === issuer;
  } catch {
    return false; // It speaks another protocol, or does not answer: some other program.
  }
}
