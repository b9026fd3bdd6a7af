import { exportJWK, generateKeyPair } from 'jose';
import { broken, testMistakes } from '../../support/doctor-scene.ts';
import { issuer, json, publicKey, redirect } from '../../support/healthy-provider.ts';

const smallRsa = {
  ...(await exportJWK(
    (
      await crypto.subtle.generateKey(
        {
          name: 'RSASSA-PKCS1-v1_5',
          modulusLength: 1024,
          publicExponent: new Uint8Array([1, 0, 1]),
          hash: 'SHA-256',
        },
        true,
        ['sign', 'verify'],
      )
    ).publicKey,
  )),
  alg: 'RS256',
};
const ellipticKey = await exportJWK((await generateKeyPair('ES256', { extractable: true })).publicKey);

testMistakes('keys', broken, [
  {
    title: 'no keys',
    replaced: { keys: [] },
    finds: { code: 'keys-unusable', text: /publishes no keys/ },
  },
  {
    title: 'keys of another kind',
    replaced: { keys: [ellipticKey, { kty: 'oct', k: 'c2VjcmV0' }] },
    finds: { code: 'keys-unusable', text: /None of the 2 keys .* signed with "RS256"/ },
  },
  {
    title: 'keys for encryption alone',
    replaced: { keys: [{ ...publicKey, use: 'enc' }] },
    finds: { code: 'keys-unusable', text: /None of the 1 keys/ },
  },
  {
    title: 'a key of too few bits',
    replaced: { keys: [smallRsa] },
    finds: { code: 'keys-unusable', text: /None of the 1 keys/, remedy: /2048 bits/ },
  },
  {
    title: 'no key set',
    replaced: { answers: { [`${issuer}/keys`]: json({ keys: 'none' }) } },
    finds: { code: 'keys-unusable', text: /the answer is not a key set/ },
  },
  {
    title: 'keys over the cap',
    replaced: { answers: { [`${issuer}/keys`]: () => new Response(' '.repeat(300_000)) } },
    finds: { code: 'keys-unusable', text: /larger than 262144 bytes/ },
  },
  {
    title: 'keys that redirect',
    replaced: { answers: { [`${issuer}/keys`]: redirect('/jwks.json') } },
    finds: { code: 'keys-unusable', text: /redirects to "https:\/\/id\.acme\.example\/jwks\.json"/ },
  },
]);
