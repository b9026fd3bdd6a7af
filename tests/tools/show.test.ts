import { describe, expect, test } from 'vitest';
import { attend, describeLoading, describeUnattended, offerPopup } from '../../tools/show.ts';

type Opened = Parameters<typeof offerPopup>[0];

function browserWhose(openPopup: () => Promise<unknown>, connected = true): Opened {
  return { browser: { connected }, openPopup } as unknown as Opened;
}

async function offer(opened: Opened): Promise<string> {
  const lines: string[] = [];
  await offerPopup(opened, 'Acme', (line) => lines.push(line));
  return lines.join('\n');
}

const refuse = () => Promise.reject(new Error('The toolbar button opens no popup.'));

describe('offerPopup', () => {
  test('says nothing if the popup opens', async () => {
    expect(await offer(browserWhose(async () => {}))).toBe('');
  });

  test('says which button to click if the desktop does not give the focus to the browser', async () => {
    expect(await offer(browserWhose(refuse))).toBe(
      `The popup did not open by itself (The toolbar button opens no popup.)
To open it, click the button of Acme in the browser's toolbar, or behind the puzzle piece there.`,
    );
  });

  test('says nothing if the person has closed the browser meanwhile', async () => {
    expect(await offer(browserWhose(refuse, false))).toBe('');
  });
});

describe('attend', () => {
  /** A browser that the person closes as soon as the command waits for that. */
  const closedLater = (openPopup: () => Promise<unknown>) =>
    ({
      browser: {
        connected: true,
        version: async () => 'Firefox/900.0',
        once: (_event: 'disconnected', listener: () => void) => listener(),
      },
      openPopup,
    }) as unknown as Opened;

  async function attended(openPopup: () => Promise<unknown>, demo: { readonly name: string } | null) {
    const lines: string[] = [];
    await attend(closedLater(openPopup), demo, 'Acme', (line) => lines.push(line));
    return lines.join('\n');
  }

  test('says what the person can do, and ends when they have closed the browser', async () => {
    const said = await attended(async () => {}, { name: 'Demo provider' });
    expect(said).toMatch(
      /^\nAcme is in Firefox\/900\.0, with a temporary profile\.\nClick "Continue with Demo provider"/,
    );
    expect(said).toContain('Its button is in the toolbar, or behind the puzzle piece there.');
  });

  test('goes on if the desktop keeps the popup closed', async () => {
    const said = await attended(refuse, null);
    expect(said).toContain('click the button of Acme');
    expect(said).toContain('Sign in with the configured provider.');
  });
});

describe('without a display', () => {
  test('npm start says that it signs in by itself at the demo provider', () => {
    expect(describeUnattended({ name: 'Demo provider' })).toMatch(/^There is no display, so .*Demo provider/);
  });

  test('npm start says that a sign-in at any other provider needs a person, and what asks the provider', () => {
    const said = describeUnattended(null);
    expect(said).toMatch(/^There is no display, and the configuration does not name the demo provider/);
    expect(said).toContain('`npm run doctor`');
  });

  test.each([
    ['chrome', 'chrome://extensions', 'dist/development/chrome'],
    ['firefox', 'about:debugging#/runtime/this-firefox', 'dist/development/firefox/manifest.json'],
  ] as const)('npm run dev says where %s loads the build', (browser, page, chosen) => {
    const said = describeLoading(browser, `dist/development/${browser}`);
    expect(said).toContain(page);
    expect(said).toContain(chosen);
  });
});
