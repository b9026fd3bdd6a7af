// The valibot schema of a configuration. Each message says what was expected;
// `readConfig` adds the path and what was found. The comment above a setting is its description everywhere: in schema.json
// for editors, in managed-schema.json, and in docs/configuration-reference.md, with its example and link.

import * as v from 'valibot';
import { once } from '../concurrency.ts';
import { endpointEntries } from './endpoint-schema.ts';
import { answerEntries, requestEntries, scopePattern } from './request-schema.ts';
import { checkEndpoint, checkIssuer, checkIssuerTemplate, checkUrl } from './url.ts';
import { checkedString, line, listOf, matching, oneOf, origin, strictObject, text } from './value-schema.ts';

const origins = () =>
  v.optional(v.array(origin(), 'a list of origins, such as ["https://api.example.com"]'), []);

export const expectedScope = 'scopes separated by single spaces, including "openid"';
export const defaultScope = 'openid profile email offline_access';

/** The provider, and the kind of client that the extension is there. */
const clientEntries = () => ({
  /** A short, permanent ID. */
  id: matching(
    /^[a-z\d-]{1,40}$/,
    '1 to 40 characters of a-z, 0-9 and "-", because the id is part of the redirect URI',
  ),
  /** The provider's name, as people know it. */
  name: line('the name on the sign-in button', 100),
  // The build alone knows the files: see tools/build/icons.ts.
  /**
   * An icon on the sign-in button, in place of a tile with the first letter: an SVG or PNG file of at most 4096 bytes, from the
   * project's folder. An SVG has only shapes, gradients, filters, text and styles, and no references to other files. It's always
   * shown on white. A policy's provider has the icon of the one with its "id".
   */
  icon: v.exactOptional(v.string('the path of an SVG or PNG file')),
  /** A file in src/providers whose settings hold where this provider has none of its own. */
  profile: v.nullish(text('the name of a profile, such as "entra", or null'), null),
  /**
   * The URL that identifies the provider, with any trailing slash, without "/.well-known/…". http: is allowed on localhost and
   * 127.0.0.1 only.
   */
  issuer: checkedString(
    'the issuer, exactly as the provider writes it in its discovery document',
    checkIssuer,
  ),
  /**
   * Where the discovery document is, if it isn't under the issuer: on the issuer's host or one of "origins".
   */
  discoveryUrl: v.nullish(
    checkedString('the address of the discovery document, or null', checkEndpoint),
    null,
  ),
  /**
   * The issuer in the discovery document of a provider with many tenants (Microsoft Entra), with "{tenantid}" in place of
   * the tenant. "issuer" then only locates that document. Everyone in every tenant can sign in, unless "allowed" lists tenants.
   */
  issuerTemplate: v.nullish(
    checkedString('the issuer with "{tenantid}" in place of the tenant, or null', checkIssuerTemplate),
    null,
  ),
  // The board shows it after a sign-in that the provider refuses, and has a limit of its own.
  /** The client ID at the provider: of a public client, with PKCE and without a secret. */
  clientId: matching(
    /^[!-~]([ -~]{0,248}[!-~])?$/,
    'the id of the public client, as the provider shows it, 1 to 250 characters',
  ),
  // Only rules.ts knows whether "openid" must be there.
  /**
   * The requested scopes. "openid" is required, and refused with "userApi", where "" requests no scope. "offline_access"
   * requests a refresh token.
   */
  scope: v.optional(matching(scopePattern, expectedScope), defaultScope),
  /** The origins of the provider's endpoints that aren't on the issuer's host. */
  origins: origins(),
  /** The origins of the APIs that the feature calls. The token is sent only to these. */
  apiOrigins: origins(),
});

export const providerEntries = once(() => ({
  ...clientEntries(),
  ...requestEntries(),
  ...answerEntries(),
  ...endpointEntries(),
}));

const page = () => checkedString('the address of a page', checkUrl);

export const supportEntries = once(() => ({
  /** Their name. */
  name: line('the name of who helps', 50),
  /** Their page. */
  url: page(),
}));

export const configEntries = once(() => ({
  /** Path of this schema, for editors. */
  $schema: v.exactOptional(v.string('the path of the JSON Schema')),
  /** The providers to choose from, in the order of their sign-in buttons. */
  providers: listOf(
    strictObject('a provider object', providerEntries()),
    1,
    100,
    'a list of 1 to 100 providers',
  ),
  /**
   * "device": the session survives a browser restart. "browser": it's kept in memory and ends when the browser closes.
   */
  persistence: oneOf(['device', 'browser']),
  /**
   * "popup": people who are signed in at the first provider are signed in without a click when the popup opens. "startup":
   * when the browser starts too. No window opens.
   */
  autoSignIn: oneOf(['off', 'popup', 'startup']),
  /**
   * Whether the popup offers the last three accounts after people have signed out or their session has ended. False keeps none.
   */
  rememberAccounts: v.optional(v.boolean('true or false'), true),
  /**
   * Whether administrators can choose the provider, and who may sign in, by policy. False leaves that out of the build, which makes
   * the worker smaller. Then "policyOrigins" can't be set.
   */
  policies: v.optional(v.boolean('true or false'), true),
  /**
   * Additional origins that the providers of a managed policy may use. The extension asks for permission for each. With this
   * setting, the build contains every flow.
   */
  policyOrigins: origins(),
  /**
   * The people who help. Messages name them instead of an administrator and link to their page, as does "Help" below the
   * sign-in buttons.
   */
  support: v.nullish(strictObject('an object with "name" and "url", or null', supportEntries()), null),
  /** Your privacy policy. "Privacy" below the sign-in buttons links to it. */
  privacyUrl: v.nullish(page(), null),
  /**
   * The popup's header while someone is signed in. "full" shows who that is. "compact" is one line, which leaves the feature
   * more room: the product's name, and the user's picture, which opens the account menu.
   */
  popupHeader: oneOf(['full', 'compact']),
}));

export const configSchema = once(() => strictObject('an object with "providers"', configEntries()));
