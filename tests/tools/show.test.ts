import { describe, expect, test } from 'vitest';
import { offerPopup } from '../../tools/show.ts';

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
