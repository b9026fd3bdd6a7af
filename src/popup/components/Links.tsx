// Links to the product's pages. Without hooks, so that the static view shows them before React runs.

import type { ComponentProps } from 'react';
import type { Text } from '../i18n/text.ts';

interface LinkProps extends ComponentProps<'a'> {
  readonly url: string;
}

/** A link that opens a tab of its own. */
export function Link({ url, children, ...attributes }: LinkProps) {
  return (
    <a href={url} target="_blank" rel="noreferrer" {...attributes}>
      {children}
    </a>
  );
}

interface LinksProps extends ComponentProps<'a'> {
  readonly text: Text;
}

/** The links to the help and privacy pages, which every screen has below its buttons. Nothing without pages. */
export function Links({ text, ...attributes }: LinksProps) {
  const { support, privacyUrl } = text;
  if (support === null && privacyUrl === null) return null;
  return (
    <div className="quiet links">
      {support && (
        <Link url={support.url} {...attributes}>
          {text('signedOut_help')}
        </Link>
      )}
      {privacyUrl && (
        <Link url={privacyUrl} {...attributes}>
          {text('signedOut_privacy')}
        </Link>
      )}
    </div>
  );
}
