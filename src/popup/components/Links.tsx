// The links to the product's help and privacy pages, which every screen has in the same place.

import { useText } from '../page.ts';
import { Link } from './Contact.tsx';

/** Below the buttons. Nothing without pages. */
export function Links() {
  const text = useText();
  const { support, privacyUrl } = text;
  if (support === null && privacyUrl === null) return null;
  return (
    <p className="quiet links">
      {support && <Link url={support.url}>{text('signedOut_help')}</Link>}
      {privacyUrl && <Link url={privacyUrl}>{text('signedOut_privacy')}</Link>}
    </p>
  );
}
