import { describe, expect, test } from 'vitest';
import { UsageError, readBrowserOption, toMessage } from '../../tools/command.ts';

describe('readBrowserOption', () => {
  test.each([
    [[], 'chrome'],
    [['--browser', 'chrome'], 'chrome'],
    [['--browser', 'firefox'], 'firefox'],
    [['--browser=firefox'], 'firefox'],
  ])('reads %j as %s', (args, browser) => {
    expect(readBrowserOption(args)).toBe(browser);
  });

  test.each([[['--browser']], [['--browser', 'opera']], [['--headless']], [['firefox']]])(
    'rejects %j in one line that names the known options',
    (args) => {
      expect(() => readBrowserOption(args)).toThrow(UsageError);
      expect(() => readBrowserOption(args)).toThrow(
        `Unknown option: ${args.join(' ')}. Known are --browser chrome (the default) and --browser firefox.`,
      );
    },
  );
});

test('toMessage puts a failed launch on one line', () => {
  const error = new Error(
    'Failed to launch the browser process:  Code: 1\n\nstderr:\nError: cannot open display: :77\n\nTROUBLESHOOTING: https://pptr.dev/troubleshooting\n',
  );
  expect(toMessage(error)).toBe(
    'Failed to launch the browser process:  Code: 1. Error: cannot open display: :77',
  );
});
