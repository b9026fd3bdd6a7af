// The gap between two sentences.

/** Returns a space, or nothing after the full stop of Japanese and Chinese, which is as wide as a letter. */
export function gapAfter(sentence: string): ' ' | '' {
  return sentence.endsWith('。') ? '' : ' ';
}
