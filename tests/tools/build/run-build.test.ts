import { expect, onTestFinished, test, vi } from 'vitest';
import { runBuild } from '../../../tools/build/run-build.ts';

/** A build of one module, in memory. Returns the mode that the module was built for. */
async function build(code = 'console.log(1)'): Promise<unknown> {
  let seen: unknown = null;
  const name = 'virtual:entry';
  const plugin = {
    name,
    resolveId: (id: string) => (id === name ? id : null),
    load(id: string) {
      seen = process.env['NODE_ENV'];
      return id === name ? code : null;
    },
  };
  const output = { write: false, rolldownOptions: { input: name } };
  await runBuild({ plugins: [plugin], build: output, customLogger: silent }, 'production');
  return seen;
}

const silent = {
  hasWarned: false,
  info: () => undefined,
  warn: () => undefined,
  warnOnce: () => undefined,
  error: () => undefined,
  clearScreen: () => undefined,
  hasErrorLogged: () => false,
};

test.each([undefined, 'test'])('a build has its own NODE_ENV, and leaves %j behind', async (before) => {
  vi.stubEnv('NODE_ENV', before);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await build()).toBe('production');
  expect(process.env['NODE_ENV']).toBe(before);
  await expect(build('import "./missing.js"')).rejects.toThrow('missing.js');
  expect(process.env['NODE_ENV']).toBe(before);
});
