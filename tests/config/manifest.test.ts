import { describe, expect, test } from 'vitest';
import { toBuildTarget, toManifest, toContentSecurityPolicy } from '../../src/config/manifest.ts';
import { acme, readConfig } from '../support/samples.ts';

import own from '../../manifest.json' with { type: 'json' };

const config = readConfig({ providers: [{ ...acme, issuer: 'http://localhost:4455' }] });

/** A manifest with a key that each browser does not know. */
const manifest = {
  manifest_version: 3,
  name: 'Acme',
  version: '1.0',
  key: 'MIIB',
  minimum_chrome_version: '148',
  message_serialization: 'structured_clone',
  browser_specific_settings: { gecko: { id: 'sign-in@acme.example', strict_min_version: '142.0' } },
  background: { service_worker: 'src/background/main.ts', type: 'module' },
  permissions: ['identity', 'storage'],
};

describe('toManifest', () => {
  test('removes the Firefox settings for Chrome and requests the configured hosts', () => {
    const { browser_specific_settings, ...common } = manifest;
    expect(browser_specific_settings).toBeDefined();
    expect(toManifest(manifest, config, 'chrome')).toEqual({
      ...common,
      host_permissions: ['http://localhost:4455/*'],
      content_security_policy: { extension_pages: toContentSecurityPolicy(config) },
    });
  });

  test('runs the worker as a background script in Firefox and removes the Chrome keys', () => {
    const { key, minimum_chrome_version, message_serialization, ...common } = manifest;
    expect([key, minimum_chrome_version, message_serialization]).not.toContain(undefined);
    expect(toManifest(manifest, config, 'firefox')).toEqual({
      ...common,
      background: { scripts: [manifest.background.service_worker], type: 'module' },
      host_permissions: ['http://localhost/*'],
      content_security_policy: { extension_pages: toContentSecurityPolicy(config) },
    });
  });

  test('names the schema of policies, unless the configuration leaves policies out', () => {
    const source = { ...own, version: '1.0' };
    const { storage } = source;
    expect(toManifest(source, config, 'chrome')).toMatchObject({ storage });
    expect(toManifest(source, { ...config, policies: false }, 'chrome')).not.toHaveProperty('storage');
  });

  test('gives each browser its own side panel alone, and the permission for it', () => {
    const page = 'src/popup/index.html';
    const source = {
      ...manifest,
      permissions: ['identity', 'sidePanel', 'alarms'],
      side_panel: { default_path: page },
      sidebar_action: { default_panel: page },
      options_ui: { page, open_in_tab: true },
    };
    const { permissions, side_panel, sidebar_action, options_ui } = source;
    const chrome = toManifest(source, config, 'chrome');
    expect(chrome).toMatchObject({ permissions, side_panel, options_ui });
    expect(chrome).not.toHaveProperty('sidebar_action');
    const firefox = toManifest(source, config, 'firefox');
    expect(firefox).toMatchObject({ permissions: ['identity', 'alarms'], sidebar_action, options_ui });
    expect(firefox).not.toHaveProperty('side_panel');
  });
});

test('manifest.json requests the two permissions that a sign-in needs, and has messages cloned', () => {
  expect(own.permissions).toEqual(expect.arrayContaining(['identity', 'storage']));
  expect(own.message_serialization).toBe('structured_clone');
});

test('manifest.json suggests no shortcut that types a character on a Mac', () => {
  const commands: Readonly<
    Record<string, { readonly suggested_key: { readonly default: string; readonly mac?: string } }>
  > = own.commands;
  const keys = Object.values(commands).map(({ suggested_key: { default: others, mac = others } }) => mac);
  // Option with a letter types one, such as "|" on a French keyboard.
  expect(keys.filter((combination) => /^(?:Alt|Option)\b/.test(combination))).toEqual([]);
});

test.for(['host_permissions', 'content_security_policy'])(
  'toManifest rejects a manifest with its own %s',
  (key) => {
    expect(() => toManifest({ ...manifest, [key]: [] }, config, 'chrome')).toThrow(
      `manifest.json: "${key}" is generated from the configuration; remove it and list the hosts there`,
    );
  },
);

test('toBuildTarget returns the oldest version that the manifest allows', () => {
  const versions = {
    ...manifest,
    minimum_chrome_version: '127.0.6533.72',
    browser_specific_settings: { gecko: { id: 'sign-in@acme.example', strict_min_version: '140.0' } },
  };
  expect(toBuildTarget(versions, 'chrome')).toEqual(['chrome127']);
  expect(toBuildTarget(versions, 'firefox')).toEqual(['firefox140']);
});
