// What manifest.json says about the product: its identity, and its name as people see it.

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ExtensionIdentity } from './redirect-uris.ts';

const project = resolve(import.meta.dirname, '..');

/** Reads the parts of manifest.json that identify the extension. */
export function readIdentity(root = project): ExtensionIdentity {
  return readJson(root, 'manifest.json') as ExtensionIdentity;
}

/**
 * The product's name in the default language. The name of manifest.json may be the name of a message, in the form
 * `__MSG_extensionName__`, which may be missing: then that form is returned.
 */
export function readProductName(root = project): string {
  const { name, default_locale: locale } = readJson(root, 'manifest.json') as {
    readonly name: string;
    readonly default_locale?: string;
  };
  const key = /^__MSG_(\w+)__$/.exec(name)?.[1];
  if (key === undefined || locale === undefined) return name;
  const messages = readJson(root, `src/public/_locales/${locale}/messages.json`) as Readonly<
    Record<string, { readonly message: string }>
  >;
  // Two dollar signs stand for one, because a single one begins a placeholder.
  return messages[key]?.message.replaceAll('$$', () => '$') ?? name;
}

function readJson(root: string, file: string): unknown {
  return JSON.parse(readFileSync(join(root, file), 'utf8'));
}
