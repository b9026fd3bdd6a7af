// Refused settings are in odd-configurations.test.ts.

import { describe, expect, test } from 'vitest';
import { readConfig, withAcme } from '../support/samples.ts';

const userApi = { url: 'https://api.acme.example/user', subject: 'id' };
const plain = {
  scope: 'read:user',
  apiOrigins: ['https://api.acme.example'],
  metadata: {
    authorization_endpoint: 'https://id.acme.example/authorize',
    token_endpoint: 'https://id.acme.example/token',
  },
  userApi,
};
const withPlain = (change: object) => withAcme({ ...plain, ...change });

describe('readConfig, of a provider with a user API', () => {
  test('requires its address and the path of the subject, and fills in the rest', () => {
    expect(readConfig(withPlain({})).providers[0]).toMatchObject({
      scope: 'read:user',
      userApi: { ...userApi, name: null, email: null, emailVerified: null, picture: null, headers: {} },
    });
  });

  test('keeps the given paths and headers exactly as written', () => {
    const full = {
      url: 'https://api.acme.example/2/users/me?user.fields=name,profile_image_url',
      subject: 'data.id',
      name: 'data.display-name',
      email: 'data.emails.0.value',
      emailVerified: 'data.emails.0.verified',
      picture: 'data.images.0.url',
      headers: { Accept: 'application/vnd.acme+json', 'Acme-Version': '2022-06-28' },
    };
    const change = { userApi: full, allowed: { email: ['ada@example.com'] } };
    expect(readConfig(withPlain(change)).providers[0]?.userApi).toEqual(full);
  });

  test('may request no scope, and take the endpoints from a metadata document instead', () => {
    const discoveryUrl = 'https://id.acme.example/.well-known/oauth-authorization-server';
    const change = { scope: '', metadata: null, discoveryUrl };
    expect(readConfig(withPlain(change)).providers[0]).toMatchObject(change);
  });
});
