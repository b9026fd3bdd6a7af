// The markup of a person's picture.

import type { Ref } from 'react';
import type { Profile } from '../../session/session.ts';
import { Tile } from '../components/Tile.tsx';
import { toDisplayName, toShowablePicture } from '../person.ts';

interface AvatarViewProps {
  readonly profile: Profile;
  readonly providerName: string;
  /** The picture that has loaded. */
  readonly loaded: string | null;
  readonly onLoad?: (picture: string) => void;
  /** Gets the picture's element. */
  readonly pictureRef?: Ref<HTMLImageElement>;
  readonly onError?: () => void;
}

/** Shows the initials, of the provider if the person has no name, until the person's picture has loaded. */
export function AvatarView({ profile, providerName, loaded, pictureRef, onLoad, onError }: AvatarViewProps) {
  const picture = toShowablePicture(profile.picture);
  const isLoaded = picture !== null && loaded === picture;
  return (
    <span className="avatar">
      {!isLoaded && (
        <Tile name={toDisplayName(profile) ?? providerName} seed={profile.subject} shape="round" />
      )}
      {picture !== null && (
        <img
          ref={pictureRef}
          src={picture}
          alt=""
          width="40"
          height="40"
          referrerPolicy="no-referrer"
          hidden={!isLoaded}
          onLoad={() => onLoad?.(picture)}
          onError={onError}
        />
      )}
    </span>
  );
}
