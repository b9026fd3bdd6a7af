// Commands from the extension's pages to its worker. The worker has one listener; it answers commands from our own
// pages and ignores every other message.

import { withTimeout } from '../../concurrency/timeout.ts';
import { parseCommand, type Command, type Reply } from '../../session/commands.ts';
import { trusted, words } from '../../session/detail.ts';
import { problem, toProblem } from '../../session/problem.ts';
import { isOwnPage, type OwnRuntime, type Sender } from '../own-page.ts';

export type { Sender } from '../own-page.ts';

/** The part of `browser.runtime` that sends commands. */
export interface MessageRuntime extends OwnRuntime {
  sendMessage(message: unknown): Promise<unknown>;
}

const envelope = 'latchkey';

/** Generous: the worker replies before it contacts a provider or opens a window. */
const replyTimeoutMs = 10_000;

/**
 * Sends a command and returns the worker's reply. Never rejects: if the worker cannot be reached, sends no valid
 * reply, or takes longer than 10 s, the reply is a refusal with the problem `worker-unreachable`.
 */
export async function sendCommand(runtime: MessageRuntime, command: Command): Promise<Reply> {
  try {
    const sent = runtime.sendMessage({ [envelope]: command });
    const reply = await withTimeout(sent, replyTimeoutMs, () => null);
    if (isReply(reply)) return reply;
    return { ok: false, problem: problem('worker-unreachable', words`The worker sent no valid reply.`) };
  } catch (error) {
    return {
      ok: false,
      problem: problem('worker-unreachable', error instanceof Error ? trusted(error.message) : null),
    };
  }
}

/**
 * Creates the worker's message listener. It replies to a command with the result of `handle`, or with the problem
 * that `handle` threw, and refuses an unknown command. For any other message it returns undefined, which leaves the
 * message to other listeners. The listener is not `async`, because an async one would claim every message.
 */
export function serveCommands(
  runtime: MessageRuntime,
  handle: (command: Command) => Promise<Reply>,
): (message: unknown, sender: Sender) => Promise<Reply> | undefined {
  return (message, sender) => {
    if (!isEnvelope(message) || !isOwnPage(runtime, sender)) return undefined;
    const command = parseCommand(message[envelope]);
    if (command === null) {
      return Promise.resolve({
        ok: false,
        problem: problem('unexpected', words`The worker does not know this command.`),
      });
    }
    return handle(command).catch((error: unknown) => ({ ok: false, problem: toProblem(error) }));
  };
}

function isEnvelope(message: unknown): message is { [envelope]: unknown } {
  return typeof message === 'object' && message !== null && envelope in message;
}

function isReply(reply: unknown): reply is Reply {
  return typeof reply === 'object' && reply !== null && 'ok' in reply && typeof reply.ok === 'boolean';
}
