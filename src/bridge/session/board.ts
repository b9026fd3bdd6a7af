// The board: what the worker tells every page of the extension. It holds no secret; the worker alone writes it.

import * as v from 'valibot';
import { causes, maxDetailLength, problemCodes } from '../../session/problem.ts';
import { profileSchema } from '../../session/profile-schema.ts';
import { signedOut, type ProviderId, type Session } from '../../session/session.ts';
import { createStorageItem, type StorageArea } from '../storage-item.ts';

export interface Board {
  readonly version: 1;
  readonly session: Session;
  readonly providers: readonly {
    readonly id: ProviderId;
    readonly name: string;
    /** Whether the person's session there can be ended from here, as far as is known. */
    readonly endsSession: boolean;
  }[];
  /** Whether an administrator's policy chose the providers. */
  readonly managed: boolean;
}

/** The storage area of the board, with the browser's event for changes. */
export interface BoardArea extends StorageArea {
  readonly onChanged: {
    addListener(listener: (changes: Record<string, { newValue?: unknown }>) => void): void;
    removeListener(listener: (changes: Record<string, { newValue?: unknown }>) => void): void;
  };
}

export interface BoardStore {
  /** The board as it stands, or null where there is none that can be read. */
  read(): Promise<Board | null>;
  write(board: Board): Promise<void>;
  /** Calls `listener` with each readable board that is written from now on; returns what ends it. */
  watch(listener: (board: Board) => void): () => void;
}

const key = 'board';

export function createBoardStore(area: BoardArea): BoardStore {
  const item = createStorageItem(area, key, boardSchema);
  return {
    read: item.read,
    write: item.write,
    watch(listener) {
      const onChanged = (changes: Record<string, { newValue?: unknown }>) => {
        const board = parseBoard(changes[key]?.newValue);
        if (board !== null) listener(board);
      };
      area.onChanged.addListener(onChanged);
      return () => area.onChanged.removeListener(onChanged);
    },
  };
}

const text = v.string();
const problem = v.object({
  code: v.picklist(problemCodes),
  detail: v.nullable(v.pipe(text, v.maxLength(maxDetailLength))),
  diagnosis: v.exactOptional(
    v.object({
      cause: v.picklist(causes),
      certainty: v.picklist(['known', 'guess']),
      register: v.nullable(v.pipe(text, v.maxLength(maxDetailLength))),
    }),
  ),
});
const settled = [
  v.object({
    status: v.literal('signed-out'),
    problem: v.nullable(problem),
    lastAccount: v.nullable(
      v.object({ providerId: text, subject: text, name: v.nullable(text), email: v.nullable(text) }),
    ),
    providerSession: v.nullable(
      v.object({ providerId: text, status: v.picklist(['ending', 'ended', 'open']) }),
    ),
  }),
  v.object({
    status: v.literal('signed-in'),
    profile: profileSchema,
    sinceMs: v.number(),
    problem: v.nullable(problem),
  }),
] as const;
const boardSchema: v.GenericSchema<unknown, Board> = v.object({
  version: v.literal(1),
  session: v.variant('status', [
    ...settled,
    v.object({
      status: v.literal('signing-in'),
      providerId: text,
      attempt: v.number(),
      startedAtMs: v.number(),
      before: v.variant('status', settled),
    }),
  ]),
  providers: v.array(v.object({ id: text, name: text, endsSession: v.boolean() })),
  managed: v.boolean(),
});

/** Reads a board out of storage; null for what is none, or of another version. */
export function parseBoard(stored: unknown): Board | null {
  const result = v.safeParse(boardSchema, stored);
  return result.success ? result.output : null;
}

/** The board of a fresh installation. */
export function firstBoard(providers: Board['providers']): Board {
  return { version: 1, session: signedOut, providers, managed: false };
}
