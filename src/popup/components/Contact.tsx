// A sentence that says who can help: the team in "support" of the configuration, with a link to their page, or the administrator.

import { isolate } from '../i18n/text.ts';
import { useText } from '../page.ts';
import { Link } from './Links.tsx';

/** When to contact someone about a problem: if the advice doesn't solve it, at once, or for access. */
export type ContactReason = 'persists' | 'now' | 'access';

export function Contact({ reason }: { readonly reason: ContactReason }) {
  const text = useText();
  const { support } = text;
  if (support === null) return text(`problem_contact_${reason}`);
  const name = isolate(support.name);
  const [before = '', after = ''] = text(`problem_contact_${reason}_support`, support.name).split(name);
  return (
    <>
      {before}
      <Link url={support.url}>{name}</Link>
      {after}
    </>
  );
}
