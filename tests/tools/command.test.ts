import { expect, test } from 'vitest';
import { UsageError, readBrowserOption } from '../../tools/command.ts';

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
