// Text of a provider in a form that may be shown: one line of printable ASCII without the queries of URLs.

/** Converts untrusted text to one line of printable ASCII, and drops what follows a `?`. */
export function toSafeLine(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, ' ').replace(/\?\S*/g, '?…');
}
