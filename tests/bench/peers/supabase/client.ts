import { createClient } from '@supabase/supabase-js';

/** The storage of the extension, as the library asks for it. */
const storage = {
  getItem: async (key: string) => (await chrome.storage.local.get(key))[key] ?? null,
  setItem: (key: string, value: string) => chrome.storage.local.set({ [key]: value }),
  removeItem: (key: string) => chrome.storage.local.remove(key),
};

export const client = createClient('https://project.supabase.example', 'anon', {
  auth: { storage, storageKey: 'session', detectSessionInUrl: false },
});
