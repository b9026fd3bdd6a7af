import { latchkey, withLatchkey } from 'latchkey/vite';
import { defineConfig } from 'wxt';

const manifest = {
  name: 'Notes',
  minimum_chrome_version: '148',
  browser_specific_settings: {
    gecko: { id: 'notes-wxt@latchkey.example', strict_min_version: '142.0' },
  },
};

export default defineConfig({
  // Otherwise WXT builds version 2 for Firefox.
  manifestVersion: 3,
  manifest: (env) => withLatchkey(manifest, env),
  vite: () => ({ plugins: [latchkey()] }),
});
