// The links to the product's help and privacy pages, which every screen has in the same place.

import type { ReactNode } from 'react';
import { useText } from '../page.ts';
import { Link } from './Contact.tsx';

/** Below the buttons. `children` come first. Nothing without children and pages. */
export function Links({ children }: { readonly children?: ReactNode }) {
  const text = useText();
  const { support, privacyUrl } = text;
  if (!children && support === null && privacyUrl === null) return null;
  return (
    <p className="quiet links">
      {children}
      {support && <Link url={support.url}>{text('signedOut_help')}</Link>}
      {privacyUrl && <Link url={privacyUrl}>{text('signedOut_privacy')}</Link>}
    </p>
  );
}
