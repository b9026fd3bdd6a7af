import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { isLong } from '../support/extent.ts';
import { makeFolder } from '../support/folder.ts';

// A process of its own takes seconds.
test.runIf(isLong)(
  'npm run build reports each mistake in the configuration in one line, and builds nothing',
  async () => {
    // One of the mistakes is a secret, which no message may repeat.
    const invalid = {
      id: 'a',
      name: 'A',
      isuer: 'https://a.example',
      clientId: 'x',
      clientSecret: 'hunter2',
    };
    const configPath = join(makeFolder({ 'config.json': { providers: [invalid] } }), 'config.json');
    const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((done) => {
      execFile(
        process.execPath,
        ['--import', 'tsx', 'tools/build.ts'],
        { cwd: resolve(import.meta.dirname, '../..'), env: { ...process.env, LATCHKEY_CONFIG: configPath } },
        (error, _stdout, printed) => done({ code: error?.code ?? 0, stderr: printed }),
      );
    });
    expect(code).toBe(1);
    const lines = stderr.trim().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe(`${configPath}:1:36: providers[0].isuer: unknown key; did you mean "issuer"?`);
    expect(stderr).not.toContain('hunter2');
  },
);
