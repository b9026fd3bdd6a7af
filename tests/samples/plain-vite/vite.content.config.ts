// Browsers load no module as a content script, so it's built by itself, into one file that imports nothing.
import { defineConfig } from 'vite';

const browser = process.env.BROWSER === 'firefox' ? 'firefox' : 'chrome';

export default defineConfig({
  build: {
    outDir: `dist/${browser}`,
    rolldownOptions: {
      input: 'src/content.ts',
      output: { format: 'iife', entryFileNames: 'content.js' },
    },
  },
});
