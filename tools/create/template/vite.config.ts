import { latchkey } from 'latchkey/vite';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Gives tests the configuration, as `latchkey:config`. Add your own plugins here: builds use them too.
  plugins: [latchkey({ config: 'src/config.json' })],
  test: { environment: 'happy-dom', include: ['tests/**/*.test.{ts,tsx}'], testTimeout: 60_000 },
});
