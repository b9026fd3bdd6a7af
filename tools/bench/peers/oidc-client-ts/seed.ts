import { User } from 'oidc-client-ts';
import { email, expiresAt, idToken, seed, subject } from '../seed.ts';
import { manager } from './manager.ts';

await seed(() =>
  manager.storeUser(
    new User({
      access_token: 'access',
      refresh_token: 'refresh',
      id_token: idToken(),
      token_type: 'Bearer',
      scope: 'openid email',
      expires_at: expiresAt,
      profile: {
        iss: 'https://provider.example',
        aud: 'client',
        sub: subject,
        email,
        iat: 0,
        exp: expiresAt,
      },
    }),
  ),
);
