import { describe, expect, test, vi } from 'vitest';
import { sendCommand, serveCommands, type MessageRuntime } from '../../../src/bridge/session/messages.ts';
import { words } from '../../../src/session/detail.ts';
import { ProblemError } from '../../../src/session/problem.ts';

const runtime = (sendMessage: MessageRuntime['sendMessage'] = () => Promise.resolve()): MessageRuntime => ({
  id: 'latchkey@latchkey.example',
  getURL: (path) => `moz-extension://0e1b/${path}`,
  sendMessage,
});
const page = { id: 'latchkey@latchkey.example', url: 'moz-extension://0e1b/src/popup/index.html' };
const open = { latchkey: { type: 'open' } };

describe('sendCommand', () => {
  test('resolves with the worker’s reply', async () => {
    expect(
      await sendCommand(
        runtime(() => Promise.resolve({ ok: true })),
        { type: 'open' },
      ),
    ).toEqual({ ok: true });
  });

  test.each<[string, () => Promise<unknown>]>([
    ['is not running', () => Promise.reject(new Error('Could not establish connection.'))],
    ['sends no reply', () => Promise.resolve(undefined)],
    ['sends an invalid reply', () => Promise.resolve({ fine: true })],
  ])('resolves with worker-unreachable if the worker %s', async (_title, sendMessage) => {
    const reply = await sendCommand(runtime(sendMessage), { type: 'open' });
    expect(reply).toMatchObject({ ok: false, problem: { code: 'worker-unreachable' } });
  });

  test('resolves with worker-unreachable if the worker does not reply within 10 seconds', async () => {
    vi.useFakeTimers();
    const reply = sendCommand(
      runtime(() => new Promise(() => undefined)),
      { type: 'open' },
    );
    await vi.advanceTimersByTimeAsync(10_000);
    vi.useRealTimers();
    expect(await reply).toMatchObject({ ok: false, problem: { code: 'worker-unreachable' } });
  });
});

describe('serveCommands', () => {
  test('handles a command from a page of this extension, with or without an origin', async () => {
    const listener = serveCommands(runtime(), () => Promise.resolve({ ok: true }));
    expect(await listener(open, page)).toEqual({ ok: true });
    expect(await listener(open, { ...page, origin: 'moz-extension://0e1b' })).toEqual({ ok: true });
  });

  test.each([
    ['another extension', { ...page, id: 'another@latchkey.example' }],
    ['a sender without an id', { url: page.url }],
    ['a sender without a URL', { id: page.id }],
    ['a web page', { ...page, url: 'https://evil.example/' }],
    ['a URL that begins with our own', { ...page, url: 'moz-extension://0e1b.evil.example/' }],
    ['another origin', { ...page, origin: 'https://evil.example' }],
    ['an opaque origin', { ...page, origin: 'null' }],
  ])('ignores a command from %s', (_title, sender) => {
    const handle = vi.fn();
    expect(serveCommands(runtime(), handle)(open, sender)).toBeUndefined();
    expect(handle).not.toHaveBeenCalled();
  });

  test.each([[undefined], [null], ['open'], [{ type: 'open' }], [[]]])(
    'ignores the message %j, which is not a command',
    (message) => {
      expect(serveCommands(runtime(), vi.fn())(message, page)).toBeUndefined();
    },
  );

  test('replies with the problem that the handler throws, and with only the name of any other error', async () => {
    const handleWith = (error: Error) => serveCommands(runtime(), () => Promise.reject(error))(open, page);
    expect(await handleWith(new ProblemError('storage-failed', words`Quota`))).toEqual({
      ok: false,
      problem: { code: 'storage-failed', detail: 'Quota' },
    });
    expect(await handleWith(new Error('token-in-a-text'))).toEqual({
      ok: false,
      problem: { code: 'unexpected', detail: 'Error' },
    });
  });
});
