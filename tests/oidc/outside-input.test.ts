// Properties of the redirect: it is accepted or rejected with a ProblemError, nothing else is ever thrown, and nothing modified on the
// way signs anybody in. The fuzzer (tests/fuzz) tries the rest of what comes from outside.

import { expect, test } from 'vitest';
import { readAuthorizationResponse } from '../../src/oidc/authorize.ts';
import { idTokenFlow, readIdTokenResponse } from '../../src/parts/id-token.ts';
import { discover } from '../support/discover.ts';
import { readEndSessionResponse } from '../../src/oidc/end.ts';
import { ProblemError } from '../../src/session/problem.ts';
import { publishedKeys } from '../support/keys.ts';
import { fc, numRuns } from '../support/property.ts';
import { createScriptedProvider, redirectUri } from '../support/scripted-provider.ts';
import { webQuery, webUrl } from '../support/web-urls.ts';
import { finishSignIn } from '../support/sign-in.ts';

/**
 * Returns the result of `run` or its ProblemError. Rethrows `unexpected`, which means an unforeseen input.
 */
async function resultOf<T>(run: () => Promise<T> | T): Promise<T | ProblemError> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code === 'unexpected') throw error;
    return error;
  }
}

const check = <T>(arbitrary: fc.Arbitrary<T>, holds: (value: T) => Promise<void>, runs = numRuns) =>
  fc.assert(fc.asyncProperty(arbitrary, holds), { numRuns: runs });

/** A whole sign-in takes a hundred times as long as reading an answer. */
const signIns = Math.min(numRuns, 500);

/** Strings that differ from `text` in one character, replaced, removed or inserted. */
const withOneMistake = (text: string) =>
  fc
    .tuple(fc.nat(text.length), fc.string({ maxLength: 1 }), fc.boolean())
    .map(([at, character, replaces]) => text.slice(0, at) + character + text.slice(replaces ? at + 1 : at))
    .filter((changed) => changed !== text);

const { client, authorize } = createScriptedProvider();
const metadata = await discover(client);
const { request, responseUrl } = await authorize();

const answerNames = ['code', 'error', 'access_token', 'id_token', 'refresh_token', 'response'];

/** `text` with some of its characters percent-encoded. */
const encoded = (text: string): fc.Arbitrary<string> =>
  fc
    .tuple(...Array.from(text, (character) => fc.tuple(fc.constant(character), fc.boolean())))
    .map((characters) =>
      characters
        .map(([character, isEncoded]) => (isEncoded ? `%${character.charCodeAt(0).toString(16)}` : character))
        .join(''),
    );

/** Fragments with a parameter of an answer in them. */
const carrying = fc
  .tuple(
    fc.constantFrom('', '_=_&', 'lang=de&'),
    fc.constantFrom(...answerNames),
    fc.string({ minLength: 1 }),
  )
  .chain(([before, name, value]) =>
    encoded(name).map((written) => `${before}${written}=${encodeURIComponent(value)}`),
  );

test('a redirect with a second answer in its fragment is rejected', () =>
  check(carrying, async (fragment) => {
    const read = resultOf(() =>
      readAuthorizationResponse(client, metadata, request, `${responseUrl}#${fragment}`),
    );
    expect(await read).toMatchObject({ code: 'response-rejected' });
    const ended = `${redirectUri}?state=${request.state}#${fragment}`;
    const endSession = { ...request, stateParameter: 'state' };
    expect(readEndSessionResponse(endSession, redirectUri, ended)).toBe('unconfirmed');
  }));

test('whatever the fragment, a redirect is rejected or read as without one', () =>
  check(fc.oneof(fc.string(), webQuery), async (fragment) => {
    const read = await resultOf(() =>
      readAuthorizationResponse(client, metadata, request, `${responseUrl}#${fragment}`),
    );
    if (read instanceof ProblemError) return;
    expect(String(read)).toBe(new URL(responseUrl).search.slice(1));
  }));

const withIdToken = createScriptedProvider({ provider: { responseType: 'id_token' } });
const idTokenRequest = await idTokenFlow.createRequest(client, metadata, redirectUri, {}, null);
const idTokenUrl = await withIdToken.approveWithIdToken(idTokenRequest.url);

/** Changed and made-up answers in the fragment. */
const idTokenAnswers = fc.oneof(
  withOneMistake(idTokenUrl),
  fc.string(),
  webUrl,
  fc.string().map((fragment) => `${redirectUri}#${fragment}`),
  webQuery.map((query) => `${redirectUri}#${query}`),
  fc.string().map((query) => `${idTokenUrl}&${query}`),
  fc.string().map((query) => idTokenUrl.replace('#', () => `?${query}#`)),
  carrying.map((fragment) => `${idTokenUrl}&${fragment}`),
);

test('readIdTokenResponse accepts only our exact redirect URI with our state and one ID token', () =>
  check(idTokenAnswers, async (url) => {
    const read = await resultOf(() => readIdTokenResponse(client, metadata, idTokenRequest, url));
    if (read instanceof ProblemError) return;
    expect(url.split(/[?#]/, 1)).toEqual([redirectUri]);
    expect(read.getAll('state')).toEqual([idTokenRequest.state]);
    expect(read.getAll('id_token')).toHaveLength(1);
    const foreign = ['code', 'error', 'access_token', 'refresh_token', 'response'];
    expect(foreign.filter((name) => read.has(name))).toEqual([]);
  }));

// An ID token from the token endpoint passes the same checks.
test('an ID token in the redirect that was changed signs no one in', async () => {
  const idToken = new URLSearchParams(new URL(idTokenUrl).hash.slice(1)).get('id_token') ?? '';
  const keys = publishedKeys(client, metadata);
  const complete = (token: string) => {
    const changed = new URLSearchParams({ state: idTokenRequest.state, id_token: token });
    const url = `${redirectUri}#${changed}`;
    return resultOf(() => finishSignIn(idTokenFlow, client, metadata, keys, idTokenRequest, url, null));
  };
  expect(await complete(idToken)).toMatchObject({ profile: { subject: 'ada' } });
  // The last character of a signature of 64 bytes has bits that decode to nothing.
  const mistakes = withOneMistake(idToken.slice(0, -1)).map((changed) => changed + idToken.slice(-1));
  const isRefused = async (token: string) => {
    expect(await complete(token)).toBeInstanceOf(ProblemError);
  };
  await check(fc.oneof(mistakes, fc.string()), isRefused, signIns);
});
