import { expect, test } from 'vitest';
import { describeOutcomes } from '../support/outcomes.ts';
import { describeRedirectUris, redirectUris } from '../../tools/redirect-uris.ts';

/** An extension whose ids a browser has shown. */
const extension = {
  key: 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAl2ngjIulsJNxd46bXpaPC29NVkou8g+dJp3Rxjvch/GdX9G4WQasMoawM5f2ENecIJRaIDCT9tJRJfF95DR7cS809Os4jH37RqDHA8VPzjXRv5Da8dBCGdFQ5mO3F4/pB4I/pO4EGJ87ds+6Fu7wBdk0mVQ1uEZrkB9LGxZRmKXjzKhSkuy0nLMvtVYNXldpl3wSs1D1RfqwOVqVv/EsxyzhcGG73qiMOry7YYq/OZtbEq5fCFVDZRYMjPzK07ORIpDji28gOLOZDBmQDuBrjhRshR0gHS+k2bK1w/aWDQP7gqZiN5FuakSKPW5SQUwAsx4WCqQtFY2DNlqsYrfHCQIDAQAB',
  browser_specific_settings: { gecko: { id: 'latchkey@latchkey.example' } },
};

const { key: _key, ...keyless } = extension;
const both = ['chrome', 'firefox'] as const;
const demo = { id: 'demo', firefoxRedirect: 'extensions.allizom.org' } as const;
const loopback = { ...demo, firefoxRedirect: 'loopback' } as const;

test('the redirect URIs are those that the browsers give to the extension with this key and this id', async () => {
  const uris = describeOutcomes({
    'the redirect URIs': () => redirectUris(extension, 'demo'),
    'with the loopback form, which has the same hash': () => redirectUris(extension, 'demo', 'loopback'),
    'without a key, where the id follows from the folder': () => redirectUris(keyless, 'demo'),
    'the lines for two providers': () =>
      describeRedirectUris(extension, [demo, { ...demo, id: 'acme' }], both),
    'the lines with the loopback form': () => describeRedirectUris(extension, [loopback], both),
    'the lines without a key': () => describeRedirectUris(keyless, [demo], both),
  });
  await expect(uris).toMatchFileSnapshot('redirect-uris.txt');
});
