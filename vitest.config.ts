// The settings of Vitest. They are apart from those of Vite, whose plugins take a while to load: see tests/support/projects.ts.

import { defineConfig } from 'vitest/config';
import { isExtent, testSettings } from './tests/support/projects.ts';

export default defineConfig(({ mode }) => ({ test: testSettings(isExtent(mode) ? mode : 'test') }));
