// The library has no way to store a session but a sign-in at Supabase, so this writes the record that it reads.

import { email, expiresAt, idToken, seed, subject } from '../seed.ts';

await seed(() =>
  chrome.storage.local.set({
    session: JSON.stringify({
      access_token: idToken(),
      refresh_token: 'refresh',
      token_type: 'bearer',
      expires_in: 86_400,
      expires_at: expiresAt,
      user: { id: subject, aud: 'authenticated', email, app_metadata: {}, user_metadata: {}, created_at: '' },
    }),
  }),
);
