// Shows a user's picture only when it has loaded, so that initials stand in its place until then.

import { type SyntheticEvent, useState } from 'react';

export type Picture = ReturnType<typeof usePicture>;

/** The state of one picture, for an `Avatar`. */
export function usePicture() {
  const [loaded, setLoaded] = useState<string | null>(null);
  return {
    loaded,
    // The static view's picture may have loaded before React could listen for it.
    ref: (picture: HTMLImageElement | null) => {
      if (picture?.complete && picture.naturalWidth > 0) setLoaded(picture.src);
    },
    onLoad: ({ currentTarget }: SyntheticEvent<HTMLImageElement>) => setLoaded(currentTarget.src),
    onError: () => setLoaded(null),
  };
}
