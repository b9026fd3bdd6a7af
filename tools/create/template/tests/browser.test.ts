// @vitest-environment node
import { setUpExtension } from 'latchkey/testing';
import { expect, onTestFinished, test } from 'vitest';

test('a user of the demo provider signs in and sees their tasks', async () => {
  const extension = await setUpExtension();
  onTestFinished(() => extension.close());
  const popup = await extension.signIn();
  await popup.waitForSelector('li');
  expect(await popup.$eval('main', (main) => main.innerText)).toContain('Water the plants');
});
