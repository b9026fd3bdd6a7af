// The board: the state that every page of the extension shows. It holds no secret, and only the worker writes it.

import * as v from '../../session/shape.ts';
import type { Detail } from '../../session/detail.ts';
import { causes, maxDetailLength, problemCodes, windowEnds } from '../../session/problem.ts';
import { accountSchema, profileSchema, type ProviderId, type View } from '../../session/view.ts';
import { signInOrderSchema } from '../../session/sign-in-order.ts';

/** The storage key of the board. */
export const boardKey = 'board';

export interface Board {
  readonly version: 1;
  readonly session: View;
  readonly providers: readonly {
    readonly id: ProviderId;
    readonly name: string;
    /** Whether the provider is known to support logout, so that the user's session there can be ended too. */
    readonly endsSession: boolean;
  }[];
  /** Whether an administrator's policy chose the providers. */
  readonly managed: boolean;
  /** The organization whose policy it is; missing if the policy doesn't name it. */
  readonly managedBy?: string;
  /** The first mistake of a policy that isn't used, for the administrator; missing if there is none. */
  readonly policyProblem?: string;
}

/** The provider with this id; if the board no longer lists it, one that is named by its id and ends no session. */
export function providerOf({ providers }: Board, id: ProviderId): Board['providers'][number] {
  return providers.find((provider) => provider.id === id) ?? { id, name: id, endsSession: false };
}

/** The part of a storage area that items use; `storage.local` and `storage.session` both fit. */
export interface StorageArea {
  get(key: string): Promise<Record<string, unknown>>;
  set(items: Record<string, unknown>): Promise<void>;
  remove(key: string): Promise<void>;
}

/** The part of a storage area that pages use, which can't write: `storage.local` and `storage.session` both fit. */
export interface BoardArea extends Pick<StorageArea, 'get'> {
  readonly onChanged: {
    addListener(listener: (changes: Record<string, { newValue?: unknown }>) => void): void;
  };
}

export type BoardStore = ReturnType<typeof createBoardStore>;

/** The board as the worker stores it in `area`, under {@link boardKey}. */
export function createBoardStore(area: StorageArea) {
  /** The last one that was read, and the last one that was written since, as text. Null if it isn't known. */
  let stored: Board | null = null;
  let written: string | null = null;
  return {
    /** The stored board, or null if there is none that {@link parseBoard} accepts. Rejects if storage fails. */
    async read(): Promise<Board | null> {
      written = null;
      return (stored = await readBoard(area));
    },
    /** Replaces the stored board, unless it's the same. Rejects if storage fails. */
    async write(board: Board): Promise<void> {
      const next = JSON.stringify(board);
      // The members of a parsed board are in the order of the schema.
      if (stored === null ? next === written : JSON.stringify(parseBoard(board)) === JSON.stringify(stored))
        return;
      stored = written = null;
      await area.set({ [boardKey]: board });
      written = next;
    },
  };
}

/** Resolves with the board in `area`, or with null if there is none that {@link parseBoard} accepts. Rejects if storage fails. */
export async function readBoard(area: Pick<StorageArea, 'get'>): Promise<Board | null> {
  return parseBoard((await area.get(boardKey))[boardKey]);
}

const text = v.string();
// The worker has written its details.
const problemMembers = {
  code: v.picklist(problemCodes),
  detail: v.nullable(v.pipe(text as v.Schema<Detail>, v.maxLength(maxDetailLength))),
  diagnosis: v.exactOptional(
    v.object({
      cause: v.picklist(causes),
      certainty: v.picklist(['known', 'guess']),
      register: v.nullable(v.pipe(text, v.maxLength(maxDetailLength))),
    }),
  ),
  window: v.exactOptional(v.picklist(windowEnds)),
};
const accounts = v.array(accountSchema);
const settled = [
  v.object({
    status: v.literal('signed-out'),
    problem: v.nullable(v.object(problemMembers)),
    accounts,
    lastProviderId: v.nullable(text),
    providerSession: v.nullable(
      v.object({ providerId: text, status: v.picklist(['ending', 'ended', 'open']) }),
    ),
  }),
  v.object({
    status: v.literal('signed-in'),
    profile: profileSchema,
    sinceMs: v.number(),
    problem: v.nullable(
      v.object({
        ...problemMembers,
        order: v.exactOptional(signInOrderSchema),
        failingSinceMs: v.exactOptional(v.number()),
      }),
    ),
    accounts,
  }),
] as const;
const boardSchema: v.Schema<Board> = v.object({
  version: v.literal(1),
  session: v.union([
    ...settled,
    v.object({
      status: v.literal('signing-in'),
      providerId: text,
      order: signInOrderSchema,
      apiName: v.exactOptional(text),
      attempt: text,
      startedAtMs: v.number(),
      device: v.exactOptional(
        v.nullable(v.object({ userCode: text, verificationUri: text, expiresAtMs: v.number() })),
      ),
      before: v.union(settled),
    }),
  ]),
  providers: v.array(v.object({ id: text, name: text, endsSession: v.boolean() })),
  managed: v.boolean(),
  managedBy: v.exactOptional(text),
  policyProblem: v.exactOptional(text),
});

/** Validates a stored board. Null for anything else, including a board of another version. */
export function parseBoard(stored: unknown): Board | null {
  return v.read(boardSchema, stored);
}
