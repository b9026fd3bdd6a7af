import { crx } from '@crxjs/vite-plugin';
import react from '@vitejs/plugin-react';
import { latchkey, withLatchkey } from 'latchkey/vite';
import { defineConfig } from 'vite';
import manifest from './manifest.json' with { type: 'json' };

const browser = process.env.BROWSER === 'firefox' ? 'firefox' : 'chrome';
const background =
  browser === 'firefox'
    ? { scripts: ['src/background.ts'], type: 'module' as const }
    : { service_worker: 'src/background.ts', type: 'module' as const };

export default defineConfig((env) => ({
  plugins: [
    latchkey(),
    react(),
    crx({ browser, manifest: withLatchkey({ ...manifest, background }, { ...env, browser }) }),
  ],
  build: { outDir: `dist/${browser}` },
}));
