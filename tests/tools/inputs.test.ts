import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { followChanges, readInputs, watchInputs } from '../../tools/inputs.ts';
import { withAcme } from '../support/samples.ts';

afterEach(() => void vi.unstubAllEnvs());

/** A configuration in a file of its own, which the commands use. */
function configure() {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-inputs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'config.json');
  const write = (change: object) => writeFileSync(path, JSON.stringify(withAcme(change)));
  write({});
  vi.stubEnv('LATCHKEY_CONFIG', path);
  return { path, write };
}

/** A file that an editor changes, and what becomes of it. */
function editing(first: string) {
  let text = first;
  const used: unknown[] = [];
  const lines: string[] = [];
  let failure: Error | null = null;
  const changed = followChanges<unknown>(JSON.parse(first), {
    read: () => JSON.parse(text) as unknown,
    async use(inputs) {
      if (failure !== null) throw failure;
      used.push(inputs);
    },
    log: (line) => void lines.push(line),
  });
  return {
    used,
    lines,
    fail: (error: Error) => void (failure = error),
    save(next: string) {
      text = next;
      return changed();
    },
  };
}

describe('followChanges', () => {
  test('uses new inputs', async () => {
    const { used, lines, save } = editing('{"host":"a"}');
    await save('{"host":"b"}');
    expect(used).toEqual([{ host: 'b' }]);
    expect(lines).toEqual([]);
  });

  test('does nothing if only the formatting has changed', async () => {
    const { used, save } = editing('{"host":"a"}');
    await save('{ "host": "a" }');
    expect(used).toEqual([]);
  });

  test('keeps the last inputs while a file is half saved, says so once, and goes on when it is whole', async () => {
    const { used, lines, save } = editing('{"host":"a"}');
    await save('{"host":');
    await save('{"host":');
    expect(used).toEqual([]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('The extension stays as it is until you correct that.');
    await save('{"host":"b"}');
    expect(used).toEqual([{ host: 'b' }]);
  });

  test('logs a failure to use them with what to do, and does not reject', async () => {
    const { lines, fail, save } = editing('{"host":"a"}');
    fail(new Error('The port is taken.'));
    await expect(save('{"host":"b"}')).resolves.toBeUndefined();
    expect(lines).toEqual(['The port is taken.\nStop this command and start it again.']);
  });

  test('uses the inputs of each change in turn', async () => {
    const { used, save } = editing('{"host":"a"}');
    await Promise.all([save('{"host":"b"}'), save('{"host":"c"}')]);
    expect(used).toEqual([{ host: 'c' }]);
  });
});

test.each(['chrome', 'firefox'] as const)('the inputs of a build for %s hold its hosts', (browser) => {
  const { write } = configure();
  const readHosts = () =>
    (readInputs(browser).manifest as { readonly host_permissions: unknown }).host_permissions;
  expect(readHosts()).toEqual(['https://id.acme.example/*']);
  write({ apiOrigins: ['https://api.acme.example'] });
  expect(readHosts()).toEqual(['https://api.acme.example/*', 'https://id.acme.example/*']);
});

test.each<[string, (path: string, text: string) => void]>([
  ['is written', writeFileSync],
  [
    'an editor puts in the place of the last',
    (path, text) => {
      writeFileSync(`${path}.new`, text);
      renameSync(`${path}.new`, path);
    },
  ],
])('watchInputs tells of a configuration that %s', async (_how, save) => {
  const { path } = configure();
  let calls = 0;
  const stops: (() => Promise<unknown>)[] = [];
  watchInputs(
    (stop) => stops.push(stop),
    () => (calls += 1),
  );
  onTestFinished(async () => void (await Promise.all(stops.map((stop) => stop()))));
  let saved = 0;
  // Again and again, because the watcher begins with the file that it finds a moment later.
  await expect
    .poll(() => {
      save(path, JSON.stringify(withAcme({ name: `Acme ${(saved += 1)}` })));
      return calls;
    })
    .toBeGreaterThan(0);
});
