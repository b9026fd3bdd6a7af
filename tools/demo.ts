// Shared by the commands that start the demo provider: its address, and the configuration that names it.

import type { Config, Provider } from '../src/config/config.ts';
import type { BrowserName } from './browser/browsers.ts';
import { readConfigFile } from './build/read-config.ts';
import { readPort, type OnStop } from './command.ts';
import { PortTakenError } from './demo-provider/loopback.ts';
import { type DemoProvider, startDemoProvider } from './demo-provider/provider.ts';
import { readManifest } from './build/read-manifest.ts';
import { describeRedirectUris, redirectUris } from './redirect-uris.ts';

const port = 4455;

/** The demo provider's address, by which a configuration names it. */
export const demoAddress = `http://localhost:${port}`;

/** A configuration, and the provider in it that is the demo provider, or null. */
export interface Demonstrated {
  readonly config: Config;
  readonly demo: Provider | null;
}

/** The port of the demo provider. Throws a `UsageError` for a wrong `LATCHKEY_DEMO_PORT`. */
export function readDemoPort(): number {
  return readPort('LATCHKEY_DEMO_PORT', port);
}

/**
 * Reads the configuration for a command that starts the demo provider. `LATCHKEY_DEMO_PORT` moves the provider to another port,
 * in the configuration too. `configPath` names a file instead of the commands' own. Throws a `FileError`, or a
 * `UsageError` for a wrong port.
 */
export function readDemonstrated(configPath?: string): Demonstrated {
  const config = readConfigFile(configPath);
  const index = config.providers.findIndex(({ issuer }) => issuer === demoAddress);
  if (index === -1) return { config, demo: null };
  const text = JSON.stringify(config).replaceAll(
    /(?<=")http:\/\/localhost:4455(?=["/])/g,
    `http://localhost:${readDemoPort()}`,
  );
  const moved = JSON.parse(text) as Config;
  return { config: moved, demo: moved.providers[index] ?? null };
}

/** Lines to print, with the redirect URIs of the other providers. The demo provider has its own already. */
export function describeOthers({ config, demo }: Demonstrated, browser: BrowserName): readonly string[] {
  const others = config.providers.filter((provider) => provider !== demo);
  return describeRedirectUris(readManifest(), others, [browser]);
}

/**
 * The name of the folder for a browser's build. It differs if the demo provider has moved, so that two commands can run
 * side by side: otherwise each would replace the build that the other's browser has loaded.
 */
export function toBuildFolder(browser: BrowserName, demo: Provider | null): string {
  return demo === null || demo.issuer === demoAddress ? browser : `${browser}-${new URL(demo.issuer).port}`;
}

/**
 * Starts the demo provider at its issuer's port, with these redirect URIs or those of manifest.json. Throws an Error that says
 * what to do if the port is taken.
 */
export async function startDemo(
  { id, issuer, firefoxRedirect }: Pick<Provider, 'id' | 'issuer'> & Partial<Provider>,
  onStop: OnStop,
  uris: readonly string[] = Object.values(redirectUris(readManifest(), id, firefoxRedirect)),
  start: typeof startDemoProvider = startDemoProvider,
): Promise<DemoProvider> {
  try {
    const provider = await start({ port: Number(new URL(issuer).port), redirectUris: uris });
    onStop(() => provider.close());
    return provider;
  } catch (cause) {
    if (!(cause instanceof PortTakenError)) throw cause;
    throw new Error(
      `${cause.message} Stop the program there (another \`npm start\` or \`npm run dev\`?) with Ctrl-C, ` +
        `or set LATCHKEY_DEMO_PORT to another port, such as ${cause.port + 1}.`,
      { cause },
    );
  }
}
