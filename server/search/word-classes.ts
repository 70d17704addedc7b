/** The classes of characters at word boundaries. */
export const WORD_CLASSES = {
  /** A letter. Words consist of this class and the next two. */
  LETTER: 0,
  DIGIT: 1,
  /** The underscore, which joins letters and digits. */
  JOINER: 2,
  /** Never part of a word: spaces, controls, most punctuation and symbols. */
  OTHER: 3,
  /** Part of a word between two letters. */
  BETWEEN_LETTERS: 4,
  /** Part of a word between two digits. */
  BETWEEN_DIGITS: 5,
  /** Part of a word between two letters and between two digits. */
  BETWEEN_BOTH: 6,
  /** Needs `Intl.Segmenter`: scripts without spaces, combining marks, surrogates. */
  UNKNOWN: 7,
} as const

/** The class of every UTF-16 unit by UAX #29. Only Latin, Cyrillic and common signs have a class other than `UNKNOWN`. */
export function classifyUnits(): Uint8Array {
  const { LETTER, DIGIT, JOINER, OTHER, BETWEEN_LETTERS, BETWEEN_DIGITS, BETWEEN_BOTH, UNKNOWN } = WORD_CLASSES
  const classes = new Uint8Array(0x10000).fill(UNKNOWN)
  // Latin-1 without soft hyphen and cedilla, then quotes, dashes, bullets, currencies, arrows, signs and shapes.
  for (const [from, to] of [
    [0x00, 0xac],
    [0xae, 0xb7],
    [0xb9, 0xbf],
    [0xd7, 0xd7],
    [0xf7, 0xf7],
    [0x2010, 0x2017],
    [0x201a, 0x2023],
    [0x2025, 0x2026],
    [0x2030, 0x203e],
    [0x20a0, 0x20c0],
    [0x2190, 0x23ff],
    [0x2500, 0x2bff],
  ] as const) {
    classes.fill(OTHER, from, to + 1)
  }
  const isLetter = /^(?=\p{Alphabetic})[\p{Script=Latin}\p{Script=Cyrillic}\u00aa\u00b5\u00ba]$/u
  for (let code = 0; code < 0x530; code++) {
    if (isLetter.test(String.fromCharCode(code))) classes[code] = LETTER
  }
  classes.fill(DIGIT, 0x30, 0x3a)
  const single = { _: JOINER, ':·': BETWEEN_LETTERS, ',;': BETWEEN_DIGITS, ".'‘’": BETWEEN_BOTH }
  for (const [characters, wordClass] of Object.entries(single)) {
    for (const character of characters) classes[character.charCodeAt(0)] = wordClass
  }
  return classes
}
