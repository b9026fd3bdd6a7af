// The person's picture, once it has loaded.

import { useState } from 'react';
import type { Profile } from '../../session/session.ts';
import { AvatarView } from '../views/AvatarView.tsx';

interface AvatarProps {
  readonly profile: Profile;
  readonly providerName: string;
}

export function Avatar({ profile, providerName }: AvatarProps) {
  const [loaded, setLoaded] = useState<string | null>(null);
  // The picture of the first face may have loaded before React was there to hear of it.
  const showIfLoaded = (picture: HTMLImageElement | null) => {
    if (picture?.complete && picture.naturalWidth > 0) setLoaded(picture.src);
  };
  return (
    <AvatarView
      profile={profile}
      providerName={providerName}
      loaded={loaded}
      pictureRef={showIfLoaded}
      onLoad={setLoaded}
      onError={() => setLoaded(null)}
    />
  );
}
