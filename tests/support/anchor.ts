// The anchors of the headings of a document.

/** The anchor that GitHub gives a heading: small letters, and a hyphen for each space. */
export function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}
