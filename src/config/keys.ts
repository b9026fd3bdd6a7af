// The keys that are refused, each with the reason given to the developer.

import { findNearest } from './nearest.ts';

const perSignIn = 'the extension sets it for each sign-in';
const previousUser = 'the extension sets it to the user who was signed in';
const replacesRequest = 'it would replace the request that the response is checked against';

/** Authorization parameters that the extension sets itself. */
export const reservedParameters: Readonly<Record<string, string>> = {
  client_id: 'set "clientId" of the provider instead',
  scope: 'set "scope" of the provider instead',
  resource: 'set "resource" of the provider instead',
  audience: 'set "audience" of the provider instead',
  response_type: 'set "responseType" of the provider instead',
  response_mode: perSignIn,
  redirect_uri: perSignIn,
  state: perSignIn,
  nonce: perSignIn,
  code_challenge: perSignIn,
  code_challenge_method: perSignIn,
  dpop_jkt: perSignIn,
  prompt: 'set "signInPrompt" or "otherAccountPrompt" of the provider instead',
  login_hint: previousUser,
  id_token_hint: previousUser,
  max_age: 'set "maxAgeSeconds" of the provider instead',
  request: replacesRequest,
  request_uri: replacesRequest,
};

/** Why the name of an authorization parameter is refused; null if it isn't. */
export function explainParameter(name: string): string | null {
  if (isSecret(name)) return secretRefusal;
  return Object.hasOwn(reservedParameters, name) ? `refused: ${reservedParameters[name]}` : null;
}

/** Why a key that is none of `known` is refused. */
export function explainUnknown(key: string, known: readonly string[]): string {
  if (isSecret(key)) return secretRefusal;
  const suggestion = findNearest(key, known);
  if (suggestion !== undefined) return `unknown key; did you mean "${suggestion}"?`;
  return `unknown key; expected one of ${known.map((name) => `"${name}"`).join(', ')}`;
}

/** Why a key that names a secret is refused. */
export const secretRefusal =
  'refused: everyone who installs the extension could read it; ' +
  'register a public client (PKCE, no secret), remove this key, and rotate the secret at the provider';

/** Whether a key names a secret. */
export function isSecret(key: string): boolean {
  return /secret|password|assertion|private_?key/i.test(key);
}
