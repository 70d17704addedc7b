/** Letters of scripts without spaces between words. A name ends where they begin. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\u30fc]/u

/** Whether a character belongs to a script without spaces between words. */
export const isUnspaced = (character: string): boolean => character > '\u0dff' && UNSPACED.test(character)
