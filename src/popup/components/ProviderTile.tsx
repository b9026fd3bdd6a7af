// Stands for a provider beside its name: its icon, or else a tile with its first letter.

import { usePage } from '../page.ts';
import { Tile } from './Tile.tsx';

interface ProviderTileProps {
  readonly id: string;
  /** Its first letter stands for a provider without an icon; nothing does without a name. */
  readonly name?: string | undefined;
}

export function ProviderTile({ id, name }: ProviderTileProps) {
  const icon = usePage().icons.get(id);
  if (icon !== undefined) return <img className="provider-icon" src={icon} alt="" />;
  return name === undefined ? null : <Tile name={name} shape="square" />;
}

/** Shown in place of the extension's mark while a user signs in at the provider: its icon, or a window. */
export function ProviderProgress({ id }: Pick<ProviderTileProps, 'id'>) {
  const hasIcon = usePage().icons.has(id);
  return (
    <span className="mark progress">
      {hasIcon ? (
        <ProviderTile id={id} />
      ) : (
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d="M3 4.5h14v11H3zM3 8h14" />
        </svg>
      )}
    </span>
  );
}
