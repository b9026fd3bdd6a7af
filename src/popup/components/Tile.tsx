// A coloured tile with a sign in it: stands for a provider, or for a person without a picture.

import { toFirstSign, toInitials } from '../person.ts';

interface TileProps {
  readonly name: string;
  /** Gives the colour: the same for the same thing each time. */
  readonly seed: string;
  readonly shape: 'square' | 'round';
}

export function Tile({ name, seed, shape }: TileProps) {
  return (
    <span className={`tile ${shape}`} style={{ backgroundColor: toColour(seed) }} aria-hidden="true">
      {shape === 'round' ? toInitials(name) : toFirstSign(name)}
    </span>
  );
}

/** Dark enough for white signs on it to be read, whatever the hue. */
function toColour(seed: string): string {
  let hash = 0;
  for (const sign of seed) hash = (hash * 31 + (sign.codePointAt(0) ?? 0)) % 360;
  return `oklch(48% 0.1 ${(hash * 137) % 360})`;
}
