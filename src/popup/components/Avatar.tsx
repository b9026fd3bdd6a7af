// A user: their picture or initials, and their email address. Without hooks, so that the static view shows it before React runs.

import type { ReactNode } from 'react';
import type { AccountHint } from '../../session/view.ts';
import type { Picture } from '../hooks/use-picture.ts';
import { toDisplayName, toInitials } from '../user.ts';

interface AvatarProps {
  readonly profile: Pick<AccountHint, 'name' | 'email' | 'picture'>;
  readonly providerName: string;
  readonly picture: Picture | undefined;
}

/** Shows the initials, of the provider if the user has no name, until the user's picture has loaded. */
export function Avatar({ profile, providerName, picture }: AvatarProps) {
  // The worker has checked it, and writes it as the browser does.
  const src = profile.picture;
  const isLoaded = src !== null && picture?.loaded === src;
  return (
    <span className="avatar">
      {!isLoaded && (
        <span className="tile" aria-hidden="true">
          {toInitials(toDisplayName(profile) ?? providerName)}
        </span>
      )}
      {src !== null && (
        <img
          ref={picture?.ref}
          src={src}
          alt=""
          width="40"
          height="40"
          referrerPolicy="no-referrer"
          hidden={!isLoaded}
          onLoad={picture?.onLoad}
          onError={picture?.onError}
        />
      )}
    </span>
  );
}

/** A longer email address is cut. */
const maxWholeLength = 28;

/**
 * An email address in parts: it breaks before its @, and a long one is cut there, because the domain tells a work account from a
 * private one.
 */
export function toAddress(words: string): ReactNode {
  const at = Math.max(words.lastIndexOf('@'), 0);
  return (
    <span className={at > 0 && words.length > maxWholeLength ? 'address' : undefined} title={words}>
      <span>{words.slice(0, at)}</span>
      <span>{words.slice(at)}</span>
    </span>
  );
}
