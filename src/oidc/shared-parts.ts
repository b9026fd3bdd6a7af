// Finds the parts of one text that another text has too. Takes a time that grows with the sum of both lengths, because a
// provider chooses both.

/** A part of the other text is looked up only if so many characters at its end are in the first text too. */
const blockLength = 3;
/** A power of two, and many times the number of blocks in a text that is shown. */
const blockCodes = 1 << 14;

/**
 * Returns a function that tells where in `text` a part with `length` characters begins that is a part of another text as
 * well. Its places are in ascending order, and overlap where a longer part is the same.
 */
export function indexParts(text: string, length: number): (other: string) => number[] {
  const firstPlaces = new Map<string, number>();
  /** By place: where the same part begins for the first time. */
  const firstAt: number[] = [];
  for (let place = 0; place + length <= text.length; place += 1) {
    const part = text.slice(place, place + length);
    const first = firstPlaces.get(part) ?? place;
    firstPlaces.set(part, first);
    firstAt.push(first);
  }
  const isBlock = new Uint8Array(blockCodes);
  for (let end = blockLength; end <= text.length; end += 1) isBlock[toBlockCode(text, end)] = 1;

  return (other) => {
    const isShared = new Uint8Array(firstAt.length);
    let end = length;
    while (end <= other.length) {
      if (isBlock[toBlockCode(other, end)] === 0) {
        // No part that contains these characters is in the text.
        end += length - blockLength + 1;
        continue;
      }
      let place = firstPlaces.get(other.slice(end - length, end));
      end += 1;
      while (place !== undefined) {
        isShared[firstAt[place] ?? 0] = 1;
        // The next part is the same if the next character is, and is not looked up.
        if (other.charCodeAt(end - 1) !== text.charCodeAt(place + length)) break;
        place += 1;
        end += 1;
      }
    }
    return firstAt.flatMap((first, place) => (isShared[first] === 1 ? place : []));
  };
}

/** A number for the characters before `end`, which others may have as well. */
function toBlockCode(text: string, end: number): number {
  const code = (text.charCodeAt(end - 3) << 10) ^ (text.charCodeAt(end - 2) << 5) ^ text.charCodeAt(end - 1);
  return code & (blockCodes - 1);
}
