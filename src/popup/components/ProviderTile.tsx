// Stands for a provider beside its name: its icon, or else a tile with its first letter.

import { usePage } from '../page.ts';
import { Tile } from './Tile.tsx';

interface ProviderTileProps {
  readonly id: string;
  readonly name: string;
}

export function ProviderTile({ id, name }: ProviderTileProps) {
  const icon = usePage().icons.get(id);
  return icon === undefined ? (
    <Tile name={name} seed={id} shape="square" />
  ) : (
    <img className="provider-icon" src={icon} alt="" />
  );
}

/** Shown in place of the extension's mark while a user signs in at the provider. */
export function ProviderProgress(provider: ProviderTileProps) {
  return (
    <span className="progress">
      <ProviderTile {...provider} />
    </span>
  );
}
