// Runs the demo provider for an extension with the npm package in it: `npm run demo -- <redirect URI> …`.

import { isCommand, runCommand, UsageError, type OnStop } from '../command.ts';
import { startDemoProvider } from '../demo-provider/provider.ts';

const defaultPort = 4455;

/**
 * Starts the demo provider at the port that docs/into-your-extension.md names, or that of `LATCHKEY_DEMO_PORT`, with the
 * redirect URIs of `args`. Returns lines to print. Throws a {@link UsageError} for an argument that is no redirect URI of an
 * extension, and a `PortTakenError`.
 */
export async function runDemo(
  args: readonly string[],
  onStop: OnStop,
  port = readPort(process.env['LATCHKEY_DEMO_PORT']),
): Promise<readonly string[]> {
  if (args.length === 0) throw new UsageError(usage);
  for (const uri of args) expectRedirectUri(uri);
  const { issuer, clientId, close } = await startDemoProvider({ port, redirectUris: args });
  onStop(close);
  return [
    `The demo provider runs at ${issuer}. Its client ${clientId} has ${args.length === 1 ? 'this redirect URI' : 'these redirect URIs'}:`,
    ...args.map((uri) => `  ${uri}`),
    `Its API answers at ${issuer}/api/me. Press Ctrl-C to stop.`,
  ];
}

const usage =
  'Name the redirect URIs of your extension: npm run demo -- https://….chromiumapp.org/demo ' +
  'https://….extensions.allizom.org/demo';

/** The forms of what `identity.getRedirectURL` returns: in Chromium, and in Firefox. */
const redirectUri = /^https:\/\/(?:[a-p]{32}\.chromiumapp\.org|[0-9a-f]{40}\.extensions\.allizom\.org)\/\S*$/;

function expectRedirectUri(uri: string): void {
  if (redirectUri.test(uri)) return;
  throw new UsageError(`${JSON.stringify(uri)} is no redirect URI of an extension. ${usage}`);
}

function readPort(text: string | undefined): number {
  if (!text) return defaultPort;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return port;
  throw new UsageError(`LATCHKEY_DEMO_PORT is ${JSON.stringify(text)}; expected a port, from 1 to 65535.`);
}

if (isCommand(import.meta.url)) {
  await runCommand(async (onStop) => {
    for (const line of await runDemo(process.argv.slice(2), onStop)) console.log(line);
    // Until Ctrl-C.
    await new Promise(() => undefined);
  });
}
