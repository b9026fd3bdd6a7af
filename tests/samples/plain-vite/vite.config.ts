import { latchkey, withLatchkey } from 'latchkey/vite';
import { defineConfig, type ConfigEnv, type Plugin } from 'vite';
import manifest from './manifest.json' with { type: 'json' };

const browser = process.env.BROWSER === 'firefox' ? 'firefox' : 'chrome';

function writeManifest(env: ConfigEnv): Plugin {
  const built = withLatchkey(manifest, { ...env, browser });
  return {
    name: 'manifest',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'manifest.json', source: JSON.stringify(built) });
    },
  };
}

export default defineConfig((env) => ({
  plugins: [latchkey(), writeManifest(env)],
  build: {
    outDir: `dist/${browser}`,
    // The content script is there already.
    emptyOutDir: false,
    rolldownOptions: {
      input: { popup: 'popup.html', background: 'src/background.ts' },
      output: { entryFileNames: '[name].js' },
    },
  },
}));
