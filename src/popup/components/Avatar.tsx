// The person's picture. Shows their initials until it has loaded, or if there is none.

import { useState } from 'react';
import type { Profile } from '../../session/session.ts';
import { toDisplayName, toShowablePicture } from '../person.ts';
import { Tile } from './Tile.tsx';

export function Avatar({ profile }: { readonly profile: Profile }) {
  const picture = toShowablePicture(profile.picture);
  const [loaded, setLoaded] = useState<string | null>(null);
  const isLoaded = picture !== null && loaded === picture;
  return (
    <span className="avatar">
      {!isLoaded && <Tile name={toDisplayName(profile)} seed={profile.subject} shape="round" />}
      {picture !== null && (
        <img
          src={picture}
          alt=""
          width="40"
          height="40"
          referrerPolicy="no-referrer"
          hidden={!isLoaded}
          onLoad={() => setLoaded(picture)}
          onError={() => setLoaded(null)}
        />
      )}
    </span>
  );
}
