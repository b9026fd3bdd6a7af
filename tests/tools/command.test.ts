import { expect, test } from 'vitest';
import { UsageError, readBrowserOption, toMessage } from '../../tools/command.ts';

test.each([
  [[], 'chrome'],
  [['--browser', 'chrome'], 'chrome'],
  [['--browser', 'firefox'], 'firefox'],
  [['--browser=firefox'], 'firefox'],
])('%j asks for %s', (args, browser) => {
  expect(readBrowserOption(args)).toBe(browser);
});

test.each([[['--browser']], [['--browser', 'opera']], [['--headless']], [['firefox']]])(
  '%j is refused in one line that names what is known',
  (args) => {
    expect(() => readBrowserOption(args)).toThrow(UsageError);
    expect(() => readBrowserOption(args)).toThrow(
      `Unknown option: ${args.join(' ')}. Known are --browser chrome (the default) and --browser firefox.`,
    );
  },
);

test('a launch that failed is told in one line', () => {
  const error = new Error(
    'Failed to launch the browser process:  Code: 1\n\nstderr:\nError: cannot open display: :77\n\nTROUBLESHOOTING: https://pptr.dev/troubleshooting\n',
  );
  expect(toMessage(error)).toBe(
    'Failed to launch the browser process:  Code: 1. Error: cannot open display: :77',
  );
});
