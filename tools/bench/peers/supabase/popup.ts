// The session that the library has stored.

import { createClient } from '@supabase/supabase-js';
import { show } from '../show.ts';

/** The storage of the extension, as the library asks for it. */
const storage = {
  getItem: async (key: string) => (await chrome.storage.local.get(key))[key] ?? null,
  setItem: (key: string, value: string) => chrome.storage.local.set({ [key]: value }),
  removeItem: (key: string) => chrome.storage.local.remove(key),
};

const client = createClient('https://project.supabase.example', 'anon', {
  auth: { storage, storageKey: 'session', detectSessionInUrl: false },
});

const { data } = await client.auth.getSession();
show(data.session?.user.email);
