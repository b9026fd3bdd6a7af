// The name of a provider, as the board knows it.

import type { Board } from '../bridge/session/board.ts';

/** The provider's name, or its id if the board no longer lists it. */
export function toProviderName({ providers }: Pick<Board, 'providers'>, id: string): string {
  return providers.find((provider) => provider.id === id)?.name ?? id;
}
