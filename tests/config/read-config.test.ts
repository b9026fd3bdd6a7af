import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { parseConfig, readConfigFile } from '../../tools/build/read-config.ts';
import { readJson } from '../../tools/build/read-text.ts';
import { makeFolder } from '../support/folder.ts';
import { acme } from '../support/samples.ts';

const folder = makeFolder();
const valid = JSON.stringify({ providers: [acme] });

function write(content: string | Uint8Array): string {
  const path = join(folder, 'config.json');
  writeFileSync(path, content);
  return path;
}

describe('LATCHKEY_CONFIG', () => {
  test('names another configuration', () => {
    vi.stubEnv('LATCHKEY_CONFIG', write(valid));
    expect(readConfigFile()).toEqual(parseConfig(valid, 'config.json'));
  });

  test.each(['', undefined])('is ignored if it is %j', (value) => {
    vi.stubEnv('LATCHKEY_CONFIG', value);
    expect(readConfigFile()).toEqual(readConfigFile('src/config.json'));
  });

  test('is a path: a configuration itself is refused, and not repeated', () => {
    vi.stubEnv('LATCHKEY_CONFIG', ' { "clientSecret": "hunter2" }');
    expect(() => readConfigFile()).toThrow(/^LATCHKEY_CONFIG: found JSON; expected the path of a JSON file$/);
  });
});

describe('a configuration that cannot be read', () => {
  test('is named if it is missing', () => {
    const path = join(folder, 'missing.json');
    expect(() => readConfigFile(path)).toThrow(`${path}: there is no such file`);
    expect(() => readConfigFile(join(write(valid), 'x.json'))).toThrow('x.json: there is no such file');
  });

  test('is named if it is a folder', () => {
    expect(() => readConfigFile(folder)).toThrow(`${folder}: found a folder; expected a file`);
  });

  test.each([
    ['UTF-16', Buffer.from(`\uFEFF${valid}`, 'utf16le')],
    ['Latin-1', Buffer.from('{ "name": "b\u00fccher" }', 'latin1')],
  ])('is named if it is in %s', (_what, bytes) => {
    expect(() => readConfigFile(write(bytes))).toThrow(
      /config\.json: found bytes that aren't UTF-8; save the file as UTF-8$/,
    );
  });
});

test('readJson names the place of a mistake in any JSON file', () => {
  expect(() => readJson(write('{ "name": 1, "name": 2 }'))).toThrow(/config\.json:1:14: name: duplicate key/);
});
