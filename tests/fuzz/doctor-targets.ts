// The answers of a provider that the doctor reads, and whether it comes to the same verdict as the worker.

import { createAuthorizationRequest } from '../../src/oidc/authorize.ts';
import { requestKeys } from '../../src/oidc/discover.ts';
import { discover } from '../support/discover.ts';
import { createProviderClient } from '../../src/oidc/http.ts';
import { ProblemError } from '../../src/session/problem.ts';
import { printReport } from '../../tools/doctor/print.ts';
import { toReport } from '../../tools/doctor/report.ts';
import type { Finding, FindingCode } from '../../tools/doctor/finding.ts';
import { importAsChrome } from '../support/chrome-import.ts';
import { acme, bad, examine } from '../support/doctor-scene.ts';
import { createHealthyProvider, issuer } from '../support/healthy-provider.ts';
import {
  createScriptedProvider,
  createSigningKey,
  redirectUri,
  toMetadata,
  toWorld,
} from '../support/scripted-provider.ts';
import { json, raw, toResponse } from './answers.ts';
import { foreignText } from './outcome.ts';
import type { Target } from './targets.ts';
import { readConfig } from '../support/samples.ts';

const provider = readConfig({ providers: [acme] }).providers[0]!;
const signingKey = await createSigningKey('key-1', 'RS256');
const stranger = await createSigningKey('key-1', 'RS256');

/** Runs with a browser's Web Crypto, by which both judge. */
async function asInChrome<T>(run: () => Promise<T>): Promise<T> {
  crypto.subtle.importKey = importAsChrome;
  return run().finally(() => {
    delete (crypto.subtle as Partial<SubtleCrypto>).importKey;
  });
}

/** The characters that the doctor may print: printable ASCII, and the characters of its own sentences. */
const harmless = /^[\x20-\x7e\n…“”’×–]*$/;

type Answers = Readonly<Record<string, () => Response>>;

/** The codes of what the doctor finds wrong at a provider with these answers. */
async function findFaults(answers: Answers): Promise<readonly FindingCode[]> {
  const { report, requests } = await examine({ answers });
  const strays = requests.filter(({ url }) => url.origin !== issuer);
  if (strays.length > 0) throw new Error(`The doctor asks ${strays[0]?.url.href}`);
  const printed = printReport(toReport('my.json', 'online', [report])).join('\n');
  if (!harmless.test(printed))
    throw new Error(`The doctor prints ${JSON.stringify(printed.match(/[^\x20-\x7e\n…“”’×–]/g))}`);
  if (printed.length > 30_000) throw new Error(`The doctor prints ${printed.length} characters.`);
  // A server that is overloaded, which the worker can't use either, is a warning.
  const isUncertain = ({ severity, code }: Finding) =>
    severity === 'note' || (severity === 'warning' && code === 'no-id-token');
  return bad(report).flatMap((finding) => (isUncertain(finding) ? [] : [finding.code]));
}

/** How the worker gets on with the same provider, as far as its request or its keys. */
async function findRefusal(answers: Answers, end: 'request' | 'keys'): Promise<ProblemError | null> {
  const client = createProviderClient(toWorld(createHealthyProvider({ answers }).fetch), provider);
  try {
    const metadata = await discover(client);
    await createAuthorizationRequest(client, metadata, redirectUri, {}, null);
    if (end === 'keys') await requestKeys(client, metadata);
    return null;
  } catch (error) {
    if (error instanceof ProblemError && error.code !== 'unexpected') return error;
    throw error;
  }
}

/** The doctor's errors about the document, and about the keys. */
const verdicts: Readonly<Record<'request' | 'keys', readonly FindingCode[]>> = {
  request: [
    'provider-unreachable',
    'discovery-missing',
    'discovery-redirects',
    'discovery-unusable',
    'issuer-mismatch',
    'issuer-template',
    'host-missing',
    'no-id-token',
  ],
  keys: ['keys-unusable'],
};

const document = {
  ...toMetadata(issuer),
  scopes_supported: ['openid', 'email', foreignText],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  id_token_signing_alg_values_supported: ['RS256'],
  token_endpoint_auth_methods_supported: ['none'],
  require_pushed_authorization_requests: false,
  dpop_signing_alg_values_supported: ['ES256'],
};

const discovery = `${issuer}/.well-known/openid-configuration`;
const keys = `${issuer}/keys`;

/**
 * The doctor's verdict on an answer, beside how the worker gets on with it. Where it accepts it, `isOfUse` says for what, and `decides`
 * whether that depends on the answer alone.
 */
const compared = (
  name: string,
  end: 'request' | 'keys',
  seeds: readonly string[],
  isOfUse: (answer: () => Response) => Promise<boolean>,
  decides: (input: string) => boolean = () => false,
): Target => ({
  name,
  seeds,
  run: (input) =>
    asInChrome(async () => {
      const answer = () => toResponse(input.replaceAll('$MODULUS', signingKey.jwk.n ?? ''));
      const answers = { [end === 'keys' ? keys : discovery]: answer };
      const [refusal, faults] = [await findRefusal(answers, end), await findFaults(answers)];
      // The sign-in page may refuse a request too, but the worker sees here only that it can't be pushed.
      const isPushRefused = refusal !== null && faults.includes('request-refused');
      const isFound = isPushRefused || faults.some((code) => verdicts[end].includes(code));
      if (isFound ? refusal === null && (await isOfUse(answer)) : refusal !== null) {
        throw new Error(
          `The worker: ${refusal?.message ?? 'accepts it'}. The doctor: ${faults.join() || 'no fault'}.`,
        );
      }
      if (!isFound && decides(input) && !(await isOfUse(answer)))
        throw new Error('The doctor finds no fault, and no one can sign in.');
      return `${refusal?.message ?? 'accepted'}: ${faults.join()}`;
    }),
});

const own = { ...signingKey.jwk, n: '$MODULUS' };
const ellipticKey = await createSigningKey('key-1');

/** Whether each RSA key of a set is the one that signs, so that the set says whether one can sign in. */
function isOwn(input: string): boolean {
  const numbers = input.match(/"[ne]":"[^"]*"/g) ?? [];
  return numbers.every((number) => /^"(?:n":"\$MODULUS|e":"AQAB)[=,]*"$/.test(number));
}

/** Whether the worker verifies an ID token with these keys. */
async function verifies(answer: () => Response): Promise<boolean> {
  const metadata = { id_token_signing_alg_values_supported: ['RS256'] };
  const signedIn = createScriptedProvider({ signingKey, metadata, answers: { '/keys': answer } }).signIn();
  return signedIn.then(
    () => true,
    () => false,
  );
}

const asked = (name: string, path: string, seeds: readonly string[]): Target => ({
  name,
  seeds,
  run: async (input) => (await findFaults({ [`${issuer}${path}`]: () => toResponse(input) })).join(),
});

export const doctorTargets: readonly Target[] = [
  compared(
    'discovery, by worker and doctor',
    'request',
    [
      json(document),
      json({ ...document, issuer: `${issuer}/` }),
      json({ ...document, jwks_uri: 'https://keys.acme.example/keys' }),
      json({ ...document, require_pushed_authorization_requests: true }),
      json({}, 404),
      json({}, 503),
    ],
    () => Promise.resolve(true),
  ),
  compared(
    'keys, by worker and doctor',
    'keys',
    [
      json({ keys: [own] }),
      json({ keys: [{ ...own, n: '$MODULUS==' }, null, {}, { ...own, use: null, key_ops: ['verify'] }] }),
      json({ keys: [own, own, { ...own, alg: 'PS256' }, { ...own, kid: undefined, use: 'enc' }] }),
      json({
        keys: [
          { ...stranger.jwk, issuer },
          { ...own, kid: 'key-2', x5c: ['MIIB'], d: 'AA' },
        ],
      }),
      json({ keys: [ellipticKey.jwk, { ...ellipticKey.jwk, x: 'AA' }, own] }),
      json({ keys: [] }),
      json({}, 503),
    ],
    verifies,
    isOwn,
  ),
  asked('token endpoint, by the doctor', '/token', [
    json({ error: 'invalid_grant', error_description: foreignText }, 400),
    json({ error: 'invalid_client' }, 401),
    json({ access_token: foreignText }),
  ]),
  asked('sign-in page, by the doctor', '/authorize', [
    raw('', 302, { location: `${redirectUri}?error=login_required&state=x` }),
    raw(`<p>${foreignText} redirect_uri</p>`, 400, { 'content-type': 'text/html' }),
  ]),
];
