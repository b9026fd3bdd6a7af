// Firefox's loopback redirect URI, for providers that refuse a host which the developer doesn't own.

import type { Part } from '../background/part.ts';
import type { Provider } from '../config/provider.ts';

export const part: Part = { toSignInUri };

/**
 * The redirect URI of a provider's sign-ins, from the browser's own. With the `firefoxRedirect` `loopback` that is, in
 * Firefox, `http://127.0.0.1/mozoauth2/<SHA-1 of the extension's id>` with the provider's id below it. Firefox never requests
 * either of the two: a redirect to one ends the sign-in. In another browser it stays as it is.
 */
export function toSignInUri(
  redirectUri: string,
  { firefoxRedirect }: Pick<Provider, 'firefoxRedirect'>,
): string {
  return firefoxRedirect === 'loopback'
    ? redirectUri.replace(
        /^https:\/\/([\da-f]{40})\.extensions\.allizom\.org\//,
        'http://127.0.0.1/mozoauth2/$1/',
      )
    : redirectUri;
}
