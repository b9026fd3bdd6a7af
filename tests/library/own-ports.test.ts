import { describe, expect, test, vi } from 'vitest';
import { sendCommand, serveCommands } from '../../src/bridge/session/messages.ts';
import { acceptPorts, sendOverPorts } from '../../src/library/own-ports.ts';
import type { Reply } from '../../src/session/commands.ts';
import { createFakePorts } from '../support/fake-ports.ts';
import { ownPage } from '../support/fake-browser.ts';

/** An extension with Latchkey in its worker, which replies to each command with `reply`. */
function setUp(reply: () => Promise<Reply> = () => Promise.resolve({ ok: true })) {
  const extension = createFakePorts();
  const handle = vi.fn(reply);
  acceptPorts(extension).addListener(serveCommands({ ...extension }, handle));
  return {
    extension,
    handle,
    send: () => sendCommand(sendOverPorts(extension), { type: 'open' }),
  };
}

test('a command is handled and replied to, and its port is closed', async () => {
  const { extension, handle, send } = setUp();
  expect(await send()).toEqual({ ok: true });
  expect(handle.mock.calls).toEqual([[{ type: 'open' }]]);
  expect(extension.open.size).toBe(0);
});

describe('an extension’s own listener', () => {
  test.each<[string, () => unknown]>([
    ['answers every message', () => Promise.resolve({ ok: false, error: 'unknown message' })],
    ['is async', async () => undefined],
    ['throws on a message that it does not know', () => Promise.reject(new TypeError('message.type'))],
  ])('that %s does not answer a command', async (_what, listener) => {
    const { extension, send } = setUp();
    const heard = vi.fn(listener);
    extension.onMessage.addListener(heard);
    expect(await send()).toEqual({ ok: true });
    expect(heard).not.toHaveBeenCalled();
  });

  test('gets its own messages, which Latchkey neither hears nor answers', async () => {
    const { extension, handle } = setUp();
    extension.onMessage.addListener((message) =>
      message === 'how-many-notes' ? Promise.resolve(3) : undefined,
    );
    expect(await extension.sendMessage('how-many-notes')).toBe(3);
    expect(handle).not.toHaveBeenCalled();
  });

  test('gets its own ports, and what it sends over Latchkey’s is no reply', async () => {
    const { extension, handle, send } = setUp();
    extension.onConnect.addListener((port) => {
      port.postMessage({ ok: false, from: port.name });
      port.postMessage('welcome');
    });
    expect(await send()).toEqual({ ok: true });
    const answer = new Promise((resolve) => {
      extension.connect({ name: 'notes' }).onMessage.addListener(resolve);
    });
    expect(await answer).toEqual({ ok: false, from: 'notes' });
    expect(handle).toHaveBeenCalledOnce();
  });
});

test('a page that closes before the reply harms nothing', async () => {
  let release: (reply: Reply) => void = () => undefined;
  const { extension, handle, send } = setUp(() => new Promise((resolve) => (release = resolve)));
  void send();
  await vi.waitFor(() => expect(handle).toHaveBeenCalledOnce());
  for (const port of extension.open) port.disconnect();
  release({ ok: true });
  expect(await setUp().send()).toEqual({ ok: true });
});

test('a worker that is not there is named as the problem', async () => {
  const runtime = { ...createFakePorts(), lastError: { message: 'Receiving end does not exist.' } };
  expect(await sendCommand(sendOverPorts(runtime), { type: 'open' })).toEqual({
    ok: false,
    problem: { code: 'worker-unreachable', detail: 'Receiving end does not exist.' },
  });
});

test('the worker learns of the sender what the browser says', async () => {
  const sender = { id: ownPage.id, url: 'https://notes.example/', origin: 'https://notes.example' };
  const extension = createFakePorts(sender);
  const listener = vi.fn(() => undefined);
  acceptPorts(extension).addListener(listener);
  void sendOverPorts(extension).sendMessage({ latchkey: { type: 'open' } });
  await vi.waitFor(() =>
    expect(listener.mock.calls).toEqual([[{ latchkey: { type: 'open' } }, sender]] as unknown[]),
  );
});
