// The package has no way to store a session but a sign-in at Logto, so this writes the records that it reads.

import { idToken, seed } from '../seed.ts';

await seed(() =>
  chrome.storage.local.set({ 'logto:app:idToken': idToken(), 'logto:app:refreshToken': 'refresh' }),
);
