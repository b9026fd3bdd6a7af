// A provider as the board knows it.

import type { Board } from '../bridge/session/board.ts';

type ShownProvider = Board['providers'][number];

/** The provider with this id; if the board no longer lists it, one that is named by its id and ends no session. */
export function providerOf(providers: Board['providers'], id: string): ShownProvider {
  return providers.find((provider) => provider.id === id) ?? { id, name: id, endsSession: false };
}
