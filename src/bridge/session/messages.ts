// Commands from the extension's pages to its worker.

import type { Command, Reply } from '../../session/commands.ts';
import { detail, type Detail } from '../../session/detail.ts';
import { problem } from '../../session/problem.ts';
import { close, type Line } from '../line/line.ts';

const noReply = detail`The worker sent no valid reply.`;

/** Generous: the worker replies before it contacts a provider or opens a window. */
const replyTimeoutMs = 10_000;

/**
 * Sends a command and returns the worker's reply. Never rejects: if the worker can't be reached, goes before it replies, sends
 * no valid reply, or takes longer than 10 s, the reply is a refusal with the problem `worker-unreachable`.
 */
export function sendCommand(line: Line, command: Command): Promise<Reply> {
  return new Promise((resolve) => {
    const settle = (reply: Reply) => {
      clearTimeout(timer);
      post(close);
      resolve(reply);
    };
    const refuse = (reason: Detail) => settle({ ok: false, problem: problem('worker-unreachable', reason) });
    const timer = setTimeout(() => refuse(noReply), replyTimeoutMs);
    const post = line('command', command, [], {
      onMessage: (reply) => (isReply(reply) ? settle(reply) : refuse(noReply)),
      onLost: (loss) =>
        refuse(loss === 'stopped' ? detail`The worker has stopped.` : detail`There is no worker.`),
    });
  });
}

function isReply(reply: unknown): reply is Reply {
  return typeof reply === 'object' && reply !== null && 'ok' in reply && typeof reply.ok === 'boolean';
}
