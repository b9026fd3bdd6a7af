// Holds the configurations that the documents show to the readers: of the extension, and of the relay.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { readRelayConfig } from '../tools/relay/config.ts';
import { createRelay } from '../tools/relay/relay.ts';
import { parseConfig } from '../tools/build/read-config.ts';
import { blocksOf, documents } from './support/first-hour/documented.ts';

const root = resolve(import.meta.dirname, '..');

/** The code in a language that a document shows. */
const codeIn = (document: string, language: string) =>
  blocksOf(document).flatMap((block) => (block.language === language ? [block.code] : []));

const jsonBlocks = documents.flatMap((file) =>
  codeIn(file, 'json').map((code, index) => [file, index + 1, code] as const),
);

/** A value, or members of an object. */
function parseJson(code: string): unknown {
  return JSON.parse(/^\s*[{[]/.test(code) ? code : `{${code}}`);
}

test.each(jsonBlocks)('the JSON that %s shows in block %i is JSON', (_file, _index, code) => {
  expect(parseJson(code)).toBeTypeOf('object');
});

const providerBlocks = jsonBlocks.filter(
  ([file, , code]) =>
    /^docs\/(configuration|flows|relay|providers\/.*)\.md$/.test(file) && !code.includes('"providers"'),
);

test.each(providerBlocks)(
  'every command accepts the settings of a provider that %s shows in block %i',
  (file, _index, code) => {
    const identity = {
      ...(!code.includes('"profile"') && { issuer: 'https://id.acme.example' }),
      id: 'acme',
      name: 'Acme',
      clientId: 'latchkey',
    };
    // The reader asks for a value of one's own in each place of this form.
    const provider = { ...identity, ...(parseJson(code.replaceAll(/<[^>]+>/g, 'acme')) as object) };
    expect(parseConfig(JSON.stringify({ providers: [provider] }), file).providers).toHaveLength(1);
  },
);

test('the documents show settings of providers', () => {
  expect(providerBlocks.length).toBeGreaterThan(30);
});

test('every command accepts the configuration that docs/configuration.md shows first', () => {
  const [code = ''] = codeIn('docs/configuration.md', 'json');
  expect(parseConfig(code, 'docs/configuration.md').providers).toHaveLength(1);
});

describe('docs/relay.md', () => {
  const [relay, provider] = codeIn('docs/relay.md', 'json').map((code) => JSON.parse(code) as unknown);
  const environment = { LATCHKEY_RELAY_SECRET_ACME: 'the secret' };

  test('shows a relay and a provider that their readers accept, and that fit each other', () => {
    const [configured] = parseConfig(JSON.stringify({ providers: [provider] }), 'docs/relay.md').providers;
    const [relayed, ...others] = readRelayConfig(relay, environment).providers;
    expect(others).toEqual([]);
    expect([configured?.id, configured?.clientId]).toEqual([relayed?.id, relayed?.clientId]);
    expect(configured?.metadata).toEqual({
      token_endpoint: `${configured?.origins[0]}/token/${relayed?.id}`,
      revocation_endpoint: `${configured?.origins[0]}/revoke/${relayed?.id}`,
    });
  });

  const deployments = codeIn('docs/relay.md', 'ts');
  type Handler = (request: Request, environment?: unknown) => Promise<Response>;

  /** Runs a block with stand-ins for its platform, and returns the handler that it serves. */
  function run(block: string): Handler {
    const served: Handler[] = [];
    const code = block
      .replaceAll(/^import .*$/gm, '')
      .replace('export default', 'const own =')
      .concat(block.includes('export default') ? '\nserve(own.fetch);' : '');
    runInNewContext(code, {
      config: relay,
      createRelay,
      readRelayConfig,
      console,
      process: { env: environment },
      Deno: { env: { toObject: () => environment }, serve: (handler: Handler) => served.push(handler) },
      Bun: { serve: ({ fetch }: { readonly fetch: Handler }) => served.push(fetch) },
      serve: (handler: Handler) => served.push(handler),
    });
    const [handler] = served;
    if (handler === undefined) throw new Error('The block serves nothing.');
    return handler;
  }

  test.each(deployments)('deploys the handler with code that serves it: %#', async (block) => {
    const response = await run(block)(new Request('https://relay.example.com/elsewhere'), environment);
    expect(response.status).toBe(404);
  });

  test('deploys it on three platforms, with the imports of files that are there', () => {
    expect(deployments).toHaveLength(3);
    const imports = deployments.flatMap((block) => [...block.matchAll(/from '\.\/(tools\/[^']+)'/g)]);
    expect(imports).toHaveLength(2);
    expect(imports.filter(([, file = '']) => !existsSync(resolve(root, file)))).toEqual([]);
  });
});
