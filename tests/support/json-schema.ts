// Makes the JSON Schema that an editor reads beside config.json: the form of the reader's own schema, and what
// an editor shows when the pointer rests on a key.

import { toJsonSchema } from '@valibot/to-json-schema';
import { reservedParameters } from '../../src/config/keys.ts';
import { configEntries, configSchema, metadataEntries, providerEntries } from '../../src/config/schema.ts';

const aboutConfig: Record<keyof typeof configEntries, string> = {
  $schema: 'Where editors find this schema.',
  providers: 'The identity providers that a person can choose from, in the order of their buttons.',
  persistence:
    '"device": still signed in after the browser restarts. "browser": kept in memory, gone when the browser closes.',
  policyOrigins:
    'Hosts that an administrator may use by managed policy, beyond those of the providers. Each one becomes a host permission of the built extension.',
};

const aboutProvider: Record<keyof typeof providerEntries, string> = {
  id: 'A short name that never changes: it is part of the redirect URI that is registered at the provider.',
  name: 'The name on the sign-in button.',
  issuer:
    'The issuer, exactly as the provider\'s discovery document writes it under "issuer": a trailing slash counts. https:, or http: on localhost and 127.0.0.1.',
  clientId:
    'The id of the client that was registered at the provider: a public one, with PKCE and without a secret.',
  scope:
    'What is asked for, with one blank between the scopes. "openid" is needed; "offline_access" asks for a refresh token.',
  origins:
    'Further hosts that the provider\'s endpoints use, when its discovery document names hosts other than the issuer\'s. Each is an origin such as "https://login.example.com".',
  apiOrigins:
    'The APIs that the feature calls. The access token goes to these hosts alone. Each is an origin such as "https://api.example.com".',
  authorizationParameters:
    'Further parameters of the authorization request, such as "ui_locales" or a provider\'s own. Those that belong to the protocol are refused.',
  resource: 'The API that the access token is for, as an absolute URI (RFC 8707).',
  audience: 'The API that the access token is for, at providers that know "audience" in place of "resource".',
  maxAgeSeconds:
    'The greatest age of the person\'s sign-in at the provider, in seconds ("max_age"). An older one is asked for anew, and the answer is checked.',
  refreshTokenSeconds:
    "How long after the sign-in the provider's refresh tokens end, however often they are renewed, in seconds (86400 for single-page applications at Microsoft Entra). Latchkey then signs in silently ahead of that.",
  acrValues:
    'How strongly the person must have signed in ("acr_values"), with a blank between the choices. The ID token must name one of them in "acr".',
  allowed:
    'Who may sign in: for each claim of the ID token the values of which it must be, or contain, one. An "email" counts only if it is verified. Everybody who is not named is refused, so leave it out to let everybody in.',
  par: 'Whether the authorization request is sent ahead (PAR, RFC 9126), which costs a round trip before the window opens. "auto": where the provider requires it. "always": it falls back to a plain request where the provider does not require it. "off": never.',
  dpop: 'Whether tokens are bound to a key that cannot leave the browser (DPoP, RFC 9449). "off": never, for APIs that know only Bearer. "auto": where the provider offers it. "required": Bearer tokens are refused.',
  metadata:
    'Endpoints of a provider without discovery, or in place of what discovery says. With "authorization_endpoint", "token_endpoint" and "jwks_uri" discovery is not asked.',
};

const aboutMetadata: Record<keyof typeof metadataEntries, string> = {
  authorization_endpoint: 'The page on which a person signs in.',
  token_endpoint: 'Where codes and refresh tokens are exchanged for tokens.',
  jwks_uri: 'The keys that ID tokens are verified with.',
  userinfo_endpoint: 'Asked for a name, e-mail or picture that the ID token lacks.',
  revocation_endpoint: 'Told at sign-out that the refresh token is not used any more (RFC 7009).',
  end_session_endpoint: 'The page that ends the session at the provider (RP-Initiated Logout).',
  pushed_authorization_request_endpoint: 'Where authorization requests are sent ahead (PAR, RFC 9126).',
  id_token_signing_alg_values_supported: 'The algorithms that ID tokens may be signed with.',
};

const described = new Map<unknown, Readonly<Record<string, string>>>([
  [configEntries, aboutConfig],
  [providerEntries, aboutProvider],
  [metadataEntries, aboutMetadata],
]);

/** The JSON Schema of a configuration. What code alone can judge is left to the reader, at build. */
export function toConfigJsonSchema(): JsonSchema {
  const { $schema, ...form } = toJsonSchema(configSchema, {
    typeMode: 'output',
    ignoreActions: ['raw_check'],
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      if (!('entries' in valibotSchema)) return jsonSchema;
      const texts = described.get(valibotSchema.entries);
      if (texts === undefined) throw new Error('The keys of an object are not described above.');
      const properties = Object.entries(jsonSchema.properties ?? {}).map(([key, property]) => [
        key,
        { description: texts[key], ...withHints(key, property as JsonSchema) },
      ]);
      return { ...jsonSchema, properties: Object.fromEntries(properties), additionalProperties: false };
    },
  });
  return {
    $schema,
    $comment: 'Made from schema.ts by tests/config/schema.test.ts.',
    title: 'Latchkey configuration',
    ...form,
  };
}

const originPattern = '^https?://[^/?#@*]+$';

type JsonSchema = ReturnType<typeof toJsonSchema>;

/** Adds what an editor can tell while somebody types, of rules that valibot keeps in code. */
function withHints(key: string, property: JsonSchema): JsonSchema {
  if (/(^issuer|_endpoint|_uri)$/.test(key)) return { ...property, format: 'uri' };
  if (/origins$/i.test(key)) return { ...property, items: { type: 'string', pattern: originPattern } };
  if (key !== 'authorizationParameters') return property;
  const notReserved = { not: { enum: Object.keys(reservedParameters) } };
  return { ...property, propertyNames: { ...(property.propertyNames as JsonSchema), ...notReserved } };
}
