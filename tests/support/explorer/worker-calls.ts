// The calls of one worker: the browser and the world as it sees them, each call between two gates.

import type { WorkerBrowser } from '../../../src/background/worker.ts';
import type { World } from '../../../src/oidc/exchange.ts';
import { toGatedBrowser, type RunCall } from './gated-browser.ts';
import type { WorkerLife } from './gates.ts';
import { setReceived } from './ledger.ts';
import type { OwnWindow } from './own-windows.ts';
import type { Stage } from './stage.ts';
import { forgetTimeLimit } from './still-time.ts';

/** Calls of which the order matters to nobody. They pass no gate, so that the steps are those that matter. */
const ungatedCalls = /^(i18n|extension|management)\.|^runtime\.(getPlatformInfo|sendMessage)$/;
const ungatedKeys = ['journal', 'toolbar', 'policy'];

/** Calls that a browser may reject, beside the writes. */
const mayReject = /^(storage\.managed|action|tabs|windows|runtime)\./;

/** The browser as the worker with this life sees it. */
export function toWorkerBrowser(stage: Stage, life: WorkerLife): WorkerBrowser {
  const { browser } = stage.fake;
  const gated = toGatedBrowser(browser, createRunCall(stage, life));
  return {
    ...membersOf(gated),
    runtime: { ...membersOf(gated.runtime), reload: () => stage.reload(life) },
    windows: {
      ...membersOf(gated.windows),
      onCreated: {
        addListener(listener) {
          stage.onWindowCreated.add(listener);
          browser.windows.onCreated.addListener(listener);
        },
      },
    },
  };
}

/** The members of a gated object, as those of an ordinary one. */
function membersOf<T extends object>(gated: T): T {
  return Object.fromEntries(Object.keys(gated).map((key) => [key, Reflect.get(gated, key) as unknown])) as T;
}

/** A dead worker waits for this. */
const never = new Promise<never>(() => undefined);

function createRunCall(stage: Stage, life: WorkerLife): RunCall {
  let flows = 0;
  return async (path, args, effect) => {
    const key = path.startsWith('storage.') ? toKey(args[0]) : null;
    const label = key === null ? path : `${path} ${key}`;
    const wish = stage.wishes.reachedBy(life);
    const act = () => perform(stage, life, { path, label, argument: args[0], wish }, effect);
    if (ungatedCalls.test(path) || ungatedKeys.includes(key ?? '')) {
      const result = life.isOver ? await never : await act();
      return life.isOver ? never : result;
    }
    // An area answers its calls in their order. A browser has no such order for flows.
    const channel = path === 'identity.launchWebAuthFlow' ? `flow ${(flows += 1)}` : toParent(path);
    return stage.run(life, channel, label, act);
  };
}

interface Call {
  readonly path: string;
  readonly label: string;
  readonly argument: unknown;
  readonly wish: number;
}

/** Makes the call, and tells the stage what it has to know of it. */
async function perform<T>(
  stage: Stage,
  life: WorkerLife,
  { path, label, argument, wish }: Call,
  effect: () => Promise<T>,
): Promise<T> {
  if (path === 'windows.update' || path === 'windows.remove') {
    stage.windows.touch(argument as number, path === 'windows.remove', life);
  }
  const isWrite = /^storage\.\w+\.(set|remove)$/.test(path);
  if (isWrite) stage.beforeWrite(label);
  if (mayReject.test(path)) stage.beforeCall(label);
  const known = stage.fake.windows.length;
  // The journal is for support, and grows with each step. What it tells is looked at, but not kept.
  const done = /^[\w.]+ journal$/.test(label) ? Promise.resolve({} as T) : effect();
  for (const window of stage.fake.windows.slice(known)) {
    const own: OwnWindow = { window, life, wish, status: 'launched', isUnknown: false };
    stage.windows.own.push(own);
    // The browser may end a flow by itself.
    const end = () => {
      own.status = 'ended';
    };
    done.then(end, end);
  }
  const result = await done;
  if (path.endsWith('.set')) await stage.afterStored(label, argument);
  if (isWrite) stage.afterWrite(label);
  return result;
}

/** The world as the worker with this life sees it. */
export function toWorkerWorld(stage: Stage, life: WorkerLife): World {
  let requests = 0;
  const underWay = new Set<GrantRequest>();
  return {
    nowMs: () => stage.nowMs,
    isOnline: () => stage.isOnline,
    mayReach: () => Promise.resolve(true),
    randomBytes(length) {
      const bytes = Uint8Array.from({ length }, () => Math.floor(stage.random() * 256));
      stage.provider.ledger.secrets.add(Buffer.from(bytes).toString('base64url'));
      return bytes;
    },
    async fetch(url, init) {
      const issued: string[] = [];
      const { signal } = init;
      const label = `network ${new URL(url).pathname}`;
      const own = toGrantRequest(url, init, stage.nowMs);
      for (const other of underWay) meet(own, other);
      underWay.add(own);
      const answer = stage.run(life, `request ${(requests += 1)}`, label, async () => {
        signal?.throwIfAborted();
        if (!stage.isOnline) throw new TypeError('Failed to fetch');
        const response = stage.provider.fetch(url, init, issued);
        if (stage.befalls('loses its answer', label)) throw new TypeError('Failed to fetch');
        stage.issue(life, issued);
        return response;
      });
      const response = await Promise.race([answer, abortion(signal)]).finally(() => {
        underWay.delete(own);
        forgetTimeLimit(signal);
      });
      setReceived(stage.provider.ledger, issued, true);
      if (own.isDisturbed) for (const token of issued) stage.disturbed.add(token);
      return response;
    },
  };
}

/** A request that begins or ends grants. */
interface GrantRequest {
  readonly kind: 'redeems' | 'revokes' | 'other';
  readonly clientId: string | null;
  readonly atMs: number;
  /** Whether a token of the same client was revoked meanwhile. */
  isDisturbed: boolean;
}

const redeeming = ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'];

function toGrantRequest(url: string, { body }: RequestInit, atMs: number): GrantRequest {
  const sent = body instanceof URLSearchParams ? body : new URLSearchParams();
  const revokes = new URL(url).pathname === '/revoke';
  const redeems = redeeming.includes(sent.get('grant_type') ?? '');
  return {
    kind: revokes ? 'revokes' : redeems ? 'redeems' : 'other',
    clientId: sent.get('client_id'),
    atMs,
    isDisturbed: false,
  };
}

/** How long a sign-in waits for a revocation. */
const patienceMs = 10_000;

/** A request begins while another one is under way. */
function meet(one: GrantRequest, other: GrantRequest): void {
  const redemption = [one, other].find(({ kind }) => kind === 'redeems');
  const isPair = redemption !== undefined && [one, other].some(({ kind }) => kind === 'revokes');
  if (isPair && one.clientId === other.clientId && one.atMs - other.atMs < patienceMs)
    redemption.isDisturbed = true;
}

/** The key of a storage call. */
function toKey(argument: unknown): string | null {
  if (typeof argument === 'string') return argument;
  if (Array.isArray(argument)) return argument.join(' and ');
  return typeof argument === 'object' && argument !== null ? (Object.keys(argument)[0] ?? null) : null;
}

/** `storage.local` of `storage.local.set`. */
function toParent(path: string): string {
  return path.slice(0, path.lastIndexOf('.'));
}

function abortion(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
  });
}
