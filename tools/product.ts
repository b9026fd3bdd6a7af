// Reads from manifest.json what identifies the product: its identity, and its name as people see it.

import { join, resolve } from 'node:path';
import { readJson } from './build/read-text.ts';
import type { ExtensionIdentity } from './redirect-uris.ts';

const project = resolve(import.meta.dirname, '..');

/** Reads the parts of manifest.json that identify the extension. */
export function readIdentity(root = project): ExtensionIdentity {
  return readJson(join(root, 'manifest.json'), 'manifest.json') as ExtensionIdentity;
}

/**
 * The product's name in the default language. The name of manifest.json may be the name of a message, in the form
 * `__MSG_extensionName__`, which may be missing: then that form is returned.
 */
export function readProductName(root = project): string {
  const { name, default_locale: locale } = readJson(join(root, 'manifest.json'), 'manifest.json') as {
    readonly name: string;
    readonly default_locale?: string;
  };
  const key = /^__MSG_(\w+)__$/.exec(name)?.[1];
  if (key === undefined || locale === undefined) return name;
  const file = `src/public/_locales/${locale}/messages.json`;
  const messages = readJson(join(root, file), file) as Readonly<Record<string, { readonly message: string }>>;
  // Two dollar signs stand for one, because a single one begins a placeholder.
  return messages[key]?.message.replaceAll('$$', () => '$') ?? name;
}
