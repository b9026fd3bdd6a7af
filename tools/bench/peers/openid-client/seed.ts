import { email, idToken, seed, subject } from '../seed.ts';

await seed(() =>
  chrome.storage.local.set({
    session: {
      access_token: 'access',
      refresh_token: 'refresh',
      id_token: idToken(),
      claims: { sub: subject, email },
    },
  }),
);
