// Runs the demo provider for an extension with the npm package in it: `npm run demo -- <redirect URI> …`.

import { runIfStarted, UsageError, type OnStop } from '../command.ts';
import { readDemoPort, startDemo } from '../demo.ts';

/** The forms of what `identity.getRedirectURL` returns: in Chromium, and in Firefox. */
const redirectUri = /^https:\/\/(?:[a-p]{32}\.chromiumapp\.org|[0-9a-f]{40}\.extensions\.allizom\.org)\/\S*$/;

/**
 * Starts the demo provider with the redirect URIs of `args`. Returns lines to print. Throws a {@link UsageError} if there is
 * none, or one doesn't belong to an extension, and a `PortTakenError`.
 */
export async function runDemo(
  args: readonly string[],
  onStop: OnStop,
  port = readDemoPort(),
): Promise<readonly string[]> {
  const wrong = args.find((uri) => !redirectUri.test(uri));
  if (wrong !== undefined || args.length === 0) {
    throw new UsageError(
      `${wrong === undefined ? '' : `${JSON.stringify(wrong)} is no redirect URI of an extension. `}` +
        'Name the redirect URIs of your extension: npm run demo -- https://….chromiumapp.org/demo ' +
        'https://….extensions.allizom.org/demo',
    );
  }
  const address = { id: 'demo', issuer: `http://localhost:${port}` };
  const { issuer, clientId } = await startDemo(address, onStop, args);
  return [
    `The demo provider runs at ${issuer}. Its client ${clientId} has these redirect URIs:`,
    ...args.map((uri) => `  ${uri}`),
    `Its API is at ${issuer}/api/me. Press Ctrl-C to stop.`,
  ];
}

await runIfStarted(import.meta.url, async (onStop) => {
  for (const line of await runDemo(process.argv.slice(2), onStop)) console.log(line);
  // Until Ctrl-C.
  await new Promise(() => undefined);
});
