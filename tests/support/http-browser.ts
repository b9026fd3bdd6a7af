// A minimal browser over HTTP: keeps cookies, follows redirects and presses the buttons of the demo provider's pages.
// Tests sign in with it where no real browser is needed.

import { people } from '../../tools/demo-provider/people.ts';

export interface Page {
  readonly url: string;
  readonly status: number;
  /** The page's heading; null for a URL outside the provider, which is not opened. */
  readonly heading: string | null;
  readonly html: string;
}

export interface SignInChoices {
  /** The id of the user to sign in as. Default: the first user. */
  readonly user?: string;
  /** The button to press. Default `allow`; `cancel` is on the page with the accounts. */
  readonly answer?: 'allow' | 'deny' | 'cancel';
  /** Default: a new one, without a session at the provider. */
  readonly browser?: HttpBrowser;
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

/**
 * Opens an authorization URL, answers the provider's pages, and returns the redirect URI with its parameters.
 *
 * Throws an Error with the page's heading if the provider shows a page that does not belong to a sign-in.
 */
export async function signInOverHttp(
  authorizationUrl: string,
  { user = people[0]?.id ?? '', answer = 'allow', browser = new HttpBrowser() }: SignInChoices = {},
): Promise<string> {
  let page = await browser.open(authorizationUrl);
  while (page.heading !== null) {
    if (hasButton(page, 'account')) {
      page = await (answer === 'cancel'
        ? browser.press(page, 'cancel')
        : browser.press(page, 'account', user));
    } else if (hasButton(page, 'allow')) {
      page = await browser.press(page, answer === 'deny' ? 'deny' : 'allow');
    } else {
      throw new Error(`The demo provider shows "${page.heading}" (status ${page.status}) at ${page.url}.`);
    }
  }
  return page.url;
}

/** One browser profile: it keeps its cookies. */
export class HttpBrowser {
  #cookies: readonly Cookie[] = [];

  /** Opens a URL and follows redirects within its origin. */
  open(url: string): Promise<Page> {
    return this.#load(new URL(url), { method: 'GET' });
  }

  /** Submits the form of a page with one of its buttons. */
  press(page: Page, name: string, value = 'yes'): Promise<Page> {
    if (!hasButton(page, name)) {
      throw new Error(`The page "${page.heading}" at ${page.url} has no button named ${name}.`);
    }
    return this.#submit(page, { [name]: value });
  }

  async #load(url: URL, init: RequestInit): Promise<Page> {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { accept: 'text/html', cookie: this.#cookieHeader(url) },
    });
    for (const header of response.headers.getSetCookie()) this.#keep(header, url);
    const html = await response.text();

    const location = response.headers.get('location');
    if (location !== null) {
      const next = new URL(location, url);
      if (next.origin !== url.origin)
        return { url: next.href, status: response.status, heading: null, html: '' };
      return this.#load(next, { method: 'GET' });
    }
    const page = {
      url: url.href,
      status: response.status,
      heading: /<h1>(.*?)<\/h1>/s.exec(html)?.[1] ?? '',
      html,
    };
    // Where a redirect cannot carry the parameters, oidc-provider uses a form that submits itself.
    return html.includes('document.forms[0].submit()') ? this.#submit(page, {}) : page;
  }

  #submit(page: Page, button: Readonly<Record<string, string>>): Promise<Page> {
    const [, action = ''] = /<form[^>]* action="([^"]*)"/.exec(page.html) ?? [];
    const hidden = [...page.html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
    const fields = hidden.map(([, name = '', value = '']): [string, string] => [name, value]);
    const body = new URLSearchParams([...fields, ...Object.entries(button)]);
    return this.#load(new URL(action, page.url), { method: 'POST', body });
  }

  #cookieHeader({ pathname }: URL): string {
    const sent = this.#cookies.filter(
      ({ path }) => pathname === path || pathname.startsWith(path.replace(/\/?$/, '/')),
    );
    return sent.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  #keep(header: string, url: URL): void {
    const [pair = '', ...attributes] = header.split(/; */);
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    const attribute = (wanted: string) =>
      attributes.map((text) => text.split('=')).find(([key]) => key?.toLowerCase() === wanted)?.[1];
    const path = attribute('path') ?? url.pathname.replace(/\/[^/]*$/, '/');
    const expires = attribute('expires');
    const others = this.#cookies.filter((cookie) => cookie.name !== name || cookie.path !== path);
    const isGone = expires !== undefined && Date.parse(expires) <= Date.now();
    this.#cookies = isGone ? others : [...others, { name, value, path }];
  }
}

function hasButton({ html }: Page, name: string): boolean {
  return new RegExp(`<button[^>]* name="${name}"`).test(html);
}
