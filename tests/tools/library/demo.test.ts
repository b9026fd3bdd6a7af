import { expect, onTestFinished, test } from 'vitest';
import { UsageError } from '../../../tools/command.ts';
import { runDemo } from '../../../tools/library/demo.ts';

const inChrome = `https://${'abcdefgh'.repeat(4)}.chromiumapp.org/demo`;
const inFirefox = `https://${'0123456789'.repeat(4)}.extensions.allizom.org/demo`;

/** Runs the command at a free port. */
const run = (...args: string[]) =>
  runDemo(args, (stop) => onTestFinished(async () => void (await stop())), 0);

test('the demo provider accepts the redirect URIs that it is given, and no others', async () => {
  const lines = await run(inChrome, inFirefox);
  const issuer = /http:\/\/localhost:\d+/.exec(lines.join('\n'))?.[0] ?? '';
  expect(lines).toContain(`  ${inFirefox}`);
  const statusFor = async (redirect: string) => {
    const query = new URLSearchParams({
      client_id: 'latchkey-demo',
      response_type: 'code',
      scope: 'openid',
      redirect_uri: redirect,
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    });
    return (await fetch(`${issuer}/auth?${query.toString()}`, { redirect: 'manual' })).status;
  };
  expect(await statusFor(inChrome)).toBe(303);
  expect(await statusFor(inFirefox)).toBe(303);
  expect(await statusFor(inChrome.replace('demo', 'other'))).toBe(400);
});

test.each([
  ['no argument', [], 'Name the redirect URIs of your extension: npm run demo -- https://'],
  [
    'a web address',
    ['https://notes.example/'],
    '"https://notes.example/" is no redirect URI of an extension.',
  ],
  ['an option', ['--port'], '"--port" is no redirect URI'],
])('%s is refused, with what to write', async (_what, args, message) => {
  await expect(run(...args)).rejects.toThrow(UsageError);
  await expect(run(...args)).rejects.toThrow(message);
});
