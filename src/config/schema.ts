// The form of a configuration: what each value must be. Unknown keys are the matter of keys.ts. Every message says
// what was expected; the line around it names the place and what was found. schema.json, for editors, is made from
// this schema.

import * as v from 'valibot';
import { endpointFault, issuerFault, originFault } from './url.ts';

const endpoint = judged('an endpoint, such as "https://id.example.com/token"', endpointFault);
const origin = judged('an origin, such as "https://api.example.com"', originFault);
const origins = v.optional(v.array(origin, 'a list of origins, such as ["https://api.example.com"]'), []);

/** Signatures that only the provider can make: `none` and `HS…` prove nothing to a client without a secret. */
const signingAlgorithm = text(
  /^([RPE]S(256|384|512)|Ed25519|EdDSA)$/,
  'a public-key algorithm, such as "RS256" or "ES256"',
);

const wholeSeconds = 'a whole number of seconds, 0 or more';
const seconds = v.pipe(v.number(wholeSeconds), v.integer(wholeSeconds), v.minValue(0, wholeSeconds));

const allowedValue = 'a text, a number, true or false';
const allowedValues = listOf(
  v.union([v.string(), v.number(), v.boolean()], allowedValue),
  1,
  1000,
  'a list of 1 to 1000 values, such as ["example.com"]',
);

/** What a provider's metadata may say here, by its wire names. */
export const metadataEntries = {
  authorization_endpoint: v.exactOptional(endpoint),
  token_endpoint: v.exactOptional(endpoint),
  jwks_uri: v.exactOptional(endpoint),
  userinfo_endpoint: v.exactOptional(endpoint),
  revocation_endpoint: v.exactOptional(endpoint),
  end_session_endpoint: v.exactOptional(endpoint),
  pushed_authorization_request_endpoint: v.exactOptional(endpoint),
  id_token_signing_alg_values_supported: v.exactOptional(
    listOf(signingAlgorithm, 1, 20, 'a list of 1 to 20 algorithms, such as ["RS256"]'),
  ),
};

export const providerEntries = {
  id: text(/^[a-z\d-]{1,40}$/, '1 to 40 of a-z, 0-9 and "-": the id is part of the redirect URI'),
  name: text(/^\S(.{0,98}\S)?$/, 'the name on the sign-in button, 1 to 100 characters on one line'),
  issuer: judged('the issuer, exactly as the provider writes it in its discovery document', issuerFault),
  clientId: text(/^[!-~]([ -~]*[!-~])?$/, "the public client's id, as the provider shows it"),
  // RFC 6749, section 3.3, with "openid" somewhere in it.
  scope: v.optional(
    text(
      /^([!#-[\]-~]+ )*openid( [!#-[\]-~]+)*$/,
      'scopes with one blank between them and "openid" among them',
    ),
    'openid profile email offline_access',
  ),
  origins,
  apiOrigins: origins,
  authorizationParameters: v.optional(
    v.pipe(
      plainObject('an object of names and texts'),
      v.record(text(/^[A-Za-z\d._-]+$/, 'a name of letters, digits, ".", "_" and "-"'), v.string('a text')),
    ),
    {},
  ),
  // RFC 8707, section 2.
  resource: v.nullish(
    text(
      /^[A-Za-z][A-Za-z\d+.-]*:[^#\s]+$/,
      'an absolute URI without a fragment, such as "https://api.example.com"',
    ),
    null,
  ),
  audience: v.nullish(text(/\S/, "the API's name at the provider"), null),
  maxAgeSeconds: v.nullish(seconds, null),
  refreshTokenSeconds: v.nullish(seconds, null),
  acrValues: v.nullish(
    text(/^[!-~]+( [!-~]+)*$/, 'authentication contexts with one blank between them'),
    null,
  ),
  allowed: v.optional(
    v.pipe(
      plainObject('an object of claims, each with a list of values'),
      v.record(text(/^\S{1,200}$/, "a claim's name"), allowedValues),
    ),
    {},
  ),
  par: v.optional(v.picklist(['auto', 'always', 'off'], '"auto", "always" or "off"'), 'auto'),
  dpop: v.optional(v.picklist(['off', 'auto', 'required'], '"off", "auto" or "required"'), 'off'),
  metadata: v.nullish(object('an object of endpoints', metadataEntries), null),
};

export const configEntries = {
  $schema: v.exactOptional(v.string('the path of the JSON Schema')),
  providers: listOf(object("a provider's object", providerEntries), 1, 100, 'a list of 1 to 100 providers'),
  persistence: v.optional(v.picklist(['device', 'browser'], '"device" or "browser"'), 'device'),
  policyOrigins: origins,
};

export const configSchema = object('an object with "providers"', configEntries);

function text(pattern: RegExp, expected: string) {
  return v.pipe(v.string(expected), v.regex(pattern, expected));
}

function judged(expected: string, findFault: (text: string) => string | null) {
  return v.pipe(
    v.string(expected),
    v.rawCheck(({ dataset, addIssue }) => {
      const fault = dataset.typed ? findFault(dataset.value) : null;
      if (fault !== null) addIssue({ message: fault });
    }),
  );
}

function listOf<const Item extends v.GenericSchema>(
  item: Item,
  least: number,
  most: number,
  expected: string,
) {
  return v.pipe(v.array(item, expected), v.minLength(least, expected), v.maxLength(most, expected));
}

function object<const Entries extends v.ObjectEntries>(expected: string, entries: Entries) {
  return v.pipe(
    plainObject(expected),
    v.object(entries, ({ path }) => expectedAt(entries, path?.[0].key)),
  );
}

/** A missing value is expected in the same words as a wrong one. */
function expectedAt(entries: v.ObjectEntries, key: unknown): string {
  const entry = typeof key === 'string' ? entries[key] : undefined;
  return entry !== undefined && 'message' in entry && typeof entry.message === 'string'
    ? entry.message
    : 'a value';
}

/** Valibot takes a list for an object; a person who wrote one made a mistake. */
function plainObject(expected: string) {
  return v.custom<Readonly<Record<string, unknown>>>(isObject, expected);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
