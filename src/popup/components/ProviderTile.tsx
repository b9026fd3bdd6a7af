// Stands for a provider: its icon, or else the children.

import type { ReactNode } from 'react';
import { usePage } from '../page.ts';

interface ProviderTileProps {
  readonly id: string;
  /** Shown for a provider without an icon. */
  readonly children: ReactNode;
}

export function ProviderTile({ id, children }: ProviderTileProps) {
  const icon = usePage().icons.get(id);
  return icon === undefined ? children : <img className="provider-icon" src={icon} alt="" />;
}

/** Shown in place of the extension's mark while a user signs in at the provider: its icon, or a window. */
export function ProviderProgress({ id }: Pick<ProviderTileProps, 'id'>) {
  return (
    <span className="mark progress">
      <ProviderTile id={id}>
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d="M3 4.5h14v11H3zM3 8h14" />
        </svg>
      </ProviderTile>
    </span>
  );
}
