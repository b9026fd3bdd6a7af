// Stands for a provider beside its name: its icon, or else a tile with its first letter.

import { createContext, useContext } from 'react';
import { Tile } from './Tile.tsx';

/** The icons of the providers, as URLs by the provider's id. */
export const ProviderIcons = createContext<ReadonlyMap<string, string>>(new Map());

interface ProviderTileProps {
  readonly id: string;
  readonly name: string;
}

export function ProviderTile({ id, name }: ProviderTileProps) {
  const icon = useContext(ProviderIcons).get(id);
  return icon === undefined ? (
    <Tile name={name} seed={id} shape="square" />
  ) : (
    <img className="provider-icon" src={icon} alt="" />
  );
}
