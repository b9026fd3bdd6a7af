// The texts of a sign-in by the device flow. They are apart from the others, because most builds do not need them.

import { isolate, type LookUp } from './text.ts';

export type CodeText = ReturnType<typeof createCodeText>;

/** The texts in the language of `lookUp`; numbers are written as in `language`, which may name a region. */
export function createCodeText(lookUp: LookUp, language = lookUp('language') || 'en') {
  const time = new Intl.RelativeTimeFormat(language);
  return {
    /** Before the code is there. */
    pending: lookUp('signingIn_codePending'),
    enter: (host: string) => lookUp('signingIn_code', [isolate(host)]),
    ends: (minutes: number) => lookUp('signingIn_codeEnds', [isolate(time.format(minutes, 'minute'))]),
    copy: lookUp('signingIn_copyCode'),
    openPage: lookUp('signingIn_openPage'),
  };
}
