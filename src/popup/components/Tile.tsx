// A tile with initials: a neutral one stands for a provider, and a round, coloured one for a user without a picture.

import { toFirstCharacter, toInitials } from '../user.ts';

interface TileProps {
  readonly name: string;
  /** Determines the colour of a user: the same seed always has the same one. */
  readonly seed?: string;
  readonly shape: 'square' | 'round';
}

export function Tile({ name, seed, shape }: TileProps) {
  return (
    <span
      className={`tile ${shape}`}
      style={seed === undefined ? undefined : { backgroundColor: toColour(seed) }}
      // The document writes the static view's style in its own way, which React would take for a difference.
      {...(import.meta.env.DEV && { suppressHydrationWarning: true })}
      aria-hidden="true"
    >
      {shape === 'round' ? toInitials(name) : toFirstCharacter(name)}
    </span>
  );
}

/** A colour that is dark enough for white text. The hues from 60 to 130 look muddy at that lightness. */
function toColour(seed: string): string {
  let hash = 0;
  for (const character of seed) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 360;
  const hue = (hash * 137) % 290;
  return `oklch(48% 0.1 ${hue < 60 ? hue : hue + 70})`;
}
