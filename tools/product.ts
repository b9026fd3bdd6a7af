// Reads from manifest.json what identifies the product: its identity, and its name as people see it.

import { resolve } from 'node:path';
import { readManifest } from './build/read-manifest.ts';
import { readJson } from './build/read-text.ts';
import type { ExtensionIdentity } from './redirect-uris.ts';

/** Reads the parts of manifest.json that identify the extension. Throws a `FileError`, as `readManifest` does. */
export function readIdentity(): ExtensionIdentity {
  return readManifest();
}

/**
 * The product's name in the default language. The name of manifest.json may be the name of a message, in the form
 * `__MSG_extensionName__`.
 */
export function readProductName(): string {
  const { name, default_locale: locale } = readManifest();
  const key = /^__MSG_(\w+)__$/.exec(name)?.[1];
  if (key === undefined) return name;
  const file = `src/public/_locales/${String(locale)}/messages.json`;
  const messages = readJson(resolve(import.meta.dirname, '..', file), file) as Readonly<
    Record<string, { readonly message: string }>
  >;
  // Two dollar signs stand for one, because a single one begins a placeholder.
  return messages[key]?.message.replaceAll('$$', () => '$') ?? name;
}
