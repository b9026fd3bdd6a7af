// Commands from the extension's pages to its worker. The worker has one listener, which is silent for
// everything that is not a command of ours from a page of ours.

import { parseCommand, type Command, type Reply } from '../../session/commands.ts';
import { problem, toProblem } from '../../session/problem.ts';
import { isOwnPage, type OwnRuntime, type Sender } from '../own-page.ts';

export type { Sender } from '../own-page.ts';

/** What this file asks of `browser.runtime`. */
export interface MessageRuntime extends OwnRuntime {
  sendMessage(message: unknown): Promise<unknown>;
}

const envelope = 'latchkey';

/**
 * Sends a command and returns the worker's answer. Never rejects: a worker that cannot be reached, that does not
 * answer in time, or that answers with something else, is refused with `worker-unreachable`.
 */
export async function sendCommand(runtime: MessageRuntime, command: Command): Promise<Reply> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), answerTimeoutMs);
  });
  try {
    const reply = await Promise.race([runtime.sendMessage({ [envelope]: command }), late]);
    if (isReply(reply)) return reply;
    return { ok: false, problem: problem('worker-unreachable', 'The worker gave no answer.') };
  } catch (error) {
    return {
      ok: false,
      problem: problem('worker-unreachable', error instanceof Error ? error.message : null),
    };
  } finally {
    clearTimeout(timer);
  }
}

/** The worker answers as soon as it has accepted or refused; it never waits for a provider or a person. */
const answerTimeoutMs = 10_000;

/**
 * The worker's message listener. It answers a command with what `handle` returns or throws, refuses an
 * envelope of ours whose command it cannot read, and returns undefined, which leaves the message to others,
 * for all else. It is not `async`: an async listener would claim every message there is.
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
        problem: problem('unexpected', 'The worker does not know this command.'),
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
