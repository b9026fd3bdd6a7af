import { describe, expect, test, vi } from 'vitest';
import { close, type Line, type Listener } from '../../../src/bridge/line/line.ts';
import { sendCommand } from '../../../src/bridge/session/messages.ts';
import { detail } from '../../../src/session/detail.ts';
import { ProblemError } from '../../../src/session/problem.ts';
import { serveCommands } from '../../../src/background/session/commands.ts';

/** A line whose worker does this with a request, and the page's further messages. */
function lineTo(play: (listener: Listener) => void) {
  const told: string[] = [];
  const line: Line = (_to, _content, _transfer, listener) => {
    queueMicrotask(() => play(listener));
    return (message) => void told.push(message);
  };
  return { line, told };
}

describe('sendCommand', () => {
  test('resolves with the worker’s reply, and ends the line', async () => {
    const { line, told } = lineTo(({ onMessage }) => onMessage({ ok: true }));
    expect(await sendCommand(line, { type: 'open' })).toEqual({ ok: true });
    expect(told).toEqual([close]);
  });

  test.each<[string, (listener: Listener) => void]>([
    ['is not there', ({ onLost }) => onLost('unreachable')],
    ['goes before it replies', ({ onLost }) => onLost('stopped')],
    ['sends an invalid reply', ({ onMessage }) => onMessage({ fine: true })],
  ])('resolves with worker-unreachable if the worker %s', async (_title, play) => {
    const reply = await sendCommand(lineTo(play).line, { type: 'open' });
    expect(reply).toMatchObject({ ok: false, problem: { code: 'worker-unreachable' } });
  });

  test('resolves with worker-unreachable if the worker does not reply within 10 seconds', async () => {
    vi.useFakeTimers();
    const reply = sendCommand(lineTo(() => undefined).line, { type: 'open' });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await reply).toMatchObject({ ok: false, problem: { code: 'worker-unreachable' } });
  });
});

describe('serveCommands', () => {
  const ask = (content: unknown, handle: () => Promise<void>) =>
    new Promise((resolve) => {
      const serve = serveCommands(handle, { note: () => undefined }, { track: (work) => work });
      serve(content, resolve);
    });

  test('replies to a command', async () => {
    expect(await ask({ type: 'open' }, () => Promise.resolve())).toEqual({ ok: true });
  });

  test.each([[undefined], [null], ['open'], [{ type: 'explode' }], [[]]])(
    'refuses %j, which is no command',
    async (content) => {
      const handle = vi.fn();
      expect(await ask(content, handle)).toMatchObject({ ok: false, problem: { code: 'unexpected' } });
      expect(handle).not.toHaveBeenCalled();
    },
  );

  test('replies with the problem that the handler throws, and with only the name of any other error', async () => {
    const replyTo = (error: Error) => ask({ type: 'open' }, () => Promise.reject(error));
    expect(await replyTo(new ProblemError('storage-failed', detail`Quota`))).toEqual({
      ok: false,
      problem: { code: 'storage-failed', detail: 'Quota' },
    });
    expect(await replyTo(new Error('token-in-a-text'))).toEqual({
      ok: false,
      problem: { code: 'unexpected', detail: 'Error' },
    });
  });
});
