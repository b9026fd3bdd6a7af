// A sentence that says who can help. Their name leads to their page.

import { useText } from '../i18n/use-text.ts';

export function Contact({ sentence }: { readonly sentence: string }) {
  const { help } = useText();
  if (help === null) return sentence;
  const [before = '', after = ''] = sentence.split(help.name);
  return (
    <>
      {before}
      <a href={help.url} target="_blank" rel="noreferrer">
        {help.name}
      </a>
      {after}
    </>
  );
}
