// Builds the extension that runs the contract in a real browser.

import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import type { BrowserName } from '../../../tools/browser/browsers.ts';

export async function buildProbe(browser: BrowserName, outDir: string): Promise<void> {
  await mkdir(outDir, { recursive: true });
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      outDir,
      emptyOutDir: false,
      minify: false,
      modulePreload: false,
      target: 'esnext',
      rollupOptions: {
        input: ['worker', 'page'].map((name) => resolve(import.meta.dirname, `${name}.ts`)),
        output: { entryFileNames: '[name].js' },
        preserveEntrySignatures: 'strict',
      },
    },
  });
  await writeFile(join(outDir, 'popup.html'), '<!doctype html><title>Popup</title>');
  await writeFile(
    join(outDir, 'manifest.json'),
    JSON.stringify({
      manifest_version: 3,
      name: 'Contract',
      version: '1',
      permissions: ['identity', 'storage', 'alarms'],
      message_serialization: 'structured_clone',
      host_permissions: ['http://localhost/*'],
      action: { default_popup: 'popup.html' },
      background:
        browser === 'firefox'
          ? { scripts: ['worker.js'], type: 'module' }
          : { service_worker: 'worker.js', type: 'module' },
      browser_specific_settings: { gecko: { id: 'contract@latchkey.example' } },
    }),
  );
}
