// Two APIs, each with a token of its own, one of which wants the user to confirm who they are, in a real browser.

import type { Page } from 'puppeteer-core';
import { expect, test, vi } from 'vitest';
import { billsResource } from '../../tools/demo-provider/bills.ts';
import { approve, popupWith, textOf, type Extension } from '../support/browser/setup.ts';
import { ask, inTab, mounted, setUpSample } from '../support/browser/sample.ts';
import { isOfThisBrowser } from '../support/browser/share.ts';

vi.setConfig({ testTimeout: 120_000 });

const toBillsOrigin = (issuer: string) => issuer.replace('localhost', '127.0.0.1');
const renewals = ({ demo }: Extension) =>
  demo.requests.filter(({ grantType }) => grantType === 'refresh_token').length;

/** Asks for the details of the bills, and then for what the API has demanded. */
const askAgain = (page: Page, url: string) =>
  page.evaluate(async (requested) => {
    const { fetch, requestStepUp } = globalThis.sample;
    return requestStepUp(await fetch(requested));
  }, url);

test.runIf(isOfThisBrowser(0))(
  'a feature calls two APIs with two tokens, and the user confirms who they are for one',
  async () => {
    const { extension, popup, api } = await setUpSample({
      configuration: ({ issuer }) => ({
        apis: [
          {
            name: 'Acme Bills',
            origins: [toBillsOrigin(issuer)],
            scope: 'bills.read',
            resource: billsResource,
          },
        ],
      }),
    });
    const bills = `${toBillsOrigin(extension.demo.issuer)}/api/bills`;
    expect(await ask(popup, `${api}/me`)).toMatchObject({ status: 200 });
    // The provider has granted the scope of the bills too, so the token is narrowed first.
    expect(renewals(extension)).toBe(1);
    for (let times = 0; times < 2; times += 1) {
      expect(await ask(popup, bills)).toMatchObject({
        status: 200,
        text: expect.stringContaining('bills.read'),
      });
    }
    expect(renewals(extension)).toBe(2);
    expect(await ask(popup, `${bills}/details`)).toMatchObject({ status: 401 });
    expect(renewals(extension)).toBe(2);

    await inTab(extension, async (tab) => {
      await mounted(tab);
      const granted = askAgain(tab, `${bills}/details`);
      const window = await extension.browser.waitForSignInWindow();
      await tab.waitForSelector('main[data-status="signing-in"]');
      expect(await textOf(tab)).toContain('Acme Bills');
      expect(new URL(window.url()).pathname).toMatch(/^\/interaction\//);
      await approve(window);
      expect(await granted).toBe('granted');
      await mounted(tab);
      expect(await ask(tab, `${bills}/details`)).toEqual({
        status: 200,
        text: '{"details":["42 € for a lock"]}',
      });
    });
    await popupWith(extension, 'signed-in');
  },
);
