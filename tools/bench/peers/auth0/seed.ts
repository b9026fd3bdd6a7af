// The library has no way to store a session but a sign-in at Auth0, so this writes the record that it reads.

import { email, idToken, seed, subject } from '../seed.ts';

await seed(() => {
  localStorage.setItem(
    '@@auth0spajs@@::client::@@user@@',
    JSON.stringify({
      id_token: idToken(),
      decodedToken: { claims: { __raw: idToken(), sub: subject, email }, user: { sub: subject, email } },
    }),
  );
});
